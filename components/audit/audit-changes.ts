import type { AuditEntry } from '#lib/audit/model.ts'

/** One thing that changed; null where it was not, or is not any more. */
export type AuditChange = { name: string; before: string | null; after: string | null }

/** What an entry says was before and after, name by name, in the order in which it says it. */
export function toChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const was = readMembers(before)
  const became = readMembers(after)
  return [...new Set([...was.keys(), ...became.keys()])].map((name) => ({
    name,
    before: was.get(name) ?? null,
    after: became.get(name) ?? null,
  }))
}

/** What is no object, since somebody else wrote the entry, is one member by the name of `text`. */
export function readMembers(text: string | null): Map<string, string> {
  if (text === null) return new Map()
  const members = Object.entries(toObject(text) ?? { text })
  return new Map(members.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
}

function toObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
