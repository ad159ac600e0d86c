/** What an organization's lake says of itself, and what a run has to write of it. Pure. */
import * as z from 'zod'
import type { OrganizationId } from '#lib/ids.ts'
import { LAKE_KINDS, type LakeKind, type MarkedMonth } from '#lib/ledger/lake/model.ts'

/** Another one whenever a file's columns or values come out otherwise: all is then written anew. */
export const LAKE_FORMAT = 'tieout-lake/1'

const file = z.strictObject({
  path: z.string(),
  kind: z.enum(LAKE_KINDS),
  month: z.string(),
  /** Of what it was made (`MarkedMonth`). */
  mark: z.string(),
  rows: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  /** SHA-256 of the keys of its rows, in their order, each followed by a line feed. */
  keys_sha256: z.string(),
  /** By currency, of rows that the platform still has: how many, and their exact sum. */
  sums: z.record(z.string(), z.strictObject({ rows: z.number(), amount: z.string() })),
})

const manifest = z.strictObject({
  format: z.string(),
  organization: z.strictObject({ id: z.string(), name: z.string() }),
  /** The moment that all files are of. */
  as_of: z.string(),
  files: z.array(file),
})

/** Names of files that a run was about to replace or to remove. */
const intent = z.strictObject({ paths: z.array(z.string()) })

export type LakeFile = z.infer<typeof file>
export type Manifest = z.infer<typeof manifest>

/** Where things are, from the lake's root. `month=` makes a column for whoever reads the folder. */
export function toLakePaths(organizationId: OrganizationId) {
  const folder = `organization=${organizationId}`
  return {
    folder,
    manifest: `${folder}/manifest.json`,
    intent: `${folder}/unfinished.json`,
    file: (kind: LakeKind, month: string) => `${folder}/${kind}/month=${month}/${kind}.parquet`,
  }
}

/** The manifest, or null for one that is missing, unreadable or of another format. */
export function parseManifest(bytes: Uint8Array | null): Manifest | null {
  const parsed = manifest.safeParse(parseJson(bytes))
  return parsed.success && parsed.data.format === LAKE_FORMAT ? parsed.data : null
}

/** The files that a run which never ended may have touched. */
export function parseIntent(bytes: Uint8Array | null): string[] {
  return intent.safeParse(parseJson(bytes)).data?.paths ?? []
}

export function writeJson(value: Manifest | z.infer<typeof intent>): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 1)}\n`)
}

function parseJson(bytes: Uint8Array | null): unknown {
  try {
    return bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return null
  }
}

/** A month of one kind as the ledger has it now. */
export type LakeMonth = MarkedMonth & { kind: LakeKind; path: string }
export type LakePlan = { kept: LakeFile[]; written: LakeMonth[]; removed: string[] }

/**
 * What to do with each file. One is kept only where it is known whole: its mark is the month's,
 * its size is the one that was written, and no run has ended in the middle of replacing it.
 */
export function planLake(
  months: readonly LakeMonth[],
  before: readonly LakeFile[],
  unfinished: readonly string[],
  sizes: ReadonlyMap<string, number>,
): LakePlan {
  const known = new Map(before.map((each) => [each.path, each]))
  const plan: LakePlan = { kept: [], written: [], removed: [] }
  for (const month of months) {
    const stored = known.get(month.path)
    const isWhole = stored !== undefined && !unfinished.includes(month.path) && sizes.get(month.path) === stored.bytes
    if (isWhole && stored.mark === month.mark) plan.kept.push(stored)
    else plan.written.push(month)
  }
  const wanted = new Set(months.map(({ path }) => path))
  plan.removed = [...new Set([...known.keys(), ...unfinished])].filter((path) => !wanted.has(path))
  return plan
}
