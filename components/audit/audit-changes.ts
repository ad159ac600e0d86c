import type { AuditEntry } from '#lib/audit/model.ts'

/** One thing that changed; null where it was not, or is not any more. */
export type AuditChange = { name: string; before: string | null; after: string | null }

/** What an entry says was before and after, name by name, in the order in which it says it. */
export function toChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>): AuditChange[] {
  const was = toMembers(before)
  const became = toMembers(after)
  return [...new Set([...was.keys(), ...became.keys()])].map((name) => ({
    name,
    before: was.get(name) ?? null,
    after: became.get(name) ?? null,
  }))
}

function toMembers(text: string | null): Map<string, string> {
  const members = text === null ? [] : Object.entries(JSON.parse(text) as Record<string, unknown>)
  return new Map(members.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
}
