import type { Sql } from '../db/tenant.ts'
import { toArrayLiteral } from './copy-text.ts'
import { PROOF_VERSION } from './proof-version.ts'

/** A record of which only the text is known: the id that it seems to have, and the SHA-256 (hex) of the text. */
export type LineText = { id: string; textHash: string }

/**
 * Which of the lines are in the ledger with exactly this text, proved by today's rules and not missing: they need not be
 * parsed. The id is only where to look: a wrong one finds nothing, as another line has another text.
 * @returns one entry per line given, in their order.
 */
export async function findStoredLines(
  sql: Sql,
  owner: { organizationId: string; connectionId: string },
  lines: readonly LineText[],
): Promise<boolean[]> {
  if (lines.length === 0) return []
  const [row] = await sql<{ marks: string }>(
    // one look-up by key per line; the answer is one text, as a thousand rows would cost more than the look-ups
    `select string_agg(case when s.is_stored then '1' else '0' end, '' order by i.n) as marks
     from unnest($3::text[], $4::bytea[]) with ordinality as i (id, text_hash, n)
     left join lateral (
       select s.text_hash = i.text_hash and s.proof_version = $5 and s.missing_since is null as is_stored from line s
       where s.organization_id = $1::uuid and s.connection_id = $2::uuid and s.id = i.id limit 1) s on true`,
    [
      ...[owner.organizationId, owner.connectionId],
      toArrayLiteral(lines.map(({ id }) => id)),
      `{${lines.map(({ textHash }) => `"\\\\x${textHash}"`).join(',')}}`,
      PROOF_VERSION,
    ],
  )
  const marks = row?.marks ?? ''
  return lines.map((_, at) => marks[at] === '1')
}
