import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Person } from './model.ts'

/** More than anybody chooses from; who is not among them is found by typing their whole name. */
const MOST_PEOPLE = 500

/** People of the organization who can sign in: nobody else is named, or has anything. */
export const IS_HERE = 'disabled_at is null and removed_at is null'

/** Who can be named, by name. `roles`: those to whom something can be given. */
export async function listPeople(
  sql: Sql,
  organizationId: OrganizationId,
  roles: readonly string[],
): Promise<Person[]> {
  const people = await sql<{ id: UserId; name: string; role: string }>(
    `select id, name, role from app_user where organization_id = $1 and ${IS_HERE} order by lower(name), id limit ${MOST_PEOPLE}`,
    [organizationId],
  )
  return people.map(({ id, name, role }) => ({ id, name, initials: toInitials(name), mayHave: roles.includes(role) }))
}

/** The first letters of the first and the last word of a name: `Katharina Vogt` -> `KV`. */
export function toInitials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]\S*/gu) ?? []
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return (
    ends
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || '?'
  )
}
