/**
 * How names look that are not written plainly (decision 052).
 * Made from:     cost centers, vendors, bookers, travelers and labels of lines.
 * Kept by:       applyPackedLines, with the lines; `fillNameLooks` for those that came before there
 *                was a table, when an organization turns folding on.
 * Taken back by: lib/connections/life/disconnect-erase.ts, when an account's data is deleted: names
 *                of people go with it. Until then a name that no line has answers nothing.
 * Read by:       spell-out.ts, keys of groups, choices of filters; only where names are folded.
 * Compared by:   npm run doctor -- figures.
 */
import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { foldName } from '#lib/reconcile/look-alikes.ts'

/** ASCII with single blanks between its words: a name that looks as it is. */
const PLAIN = '^[!-~]+( [!-~]+)*$'
const IS_PLAIN = new RegExp(PLAIN)

/** Whether a name may look like another one. */
export function isOddName(name: string): boolean {
  return name !== '' && !IS_PLAIN.test(name)
}

/** SQL: rows `n (name)` of the names of a line `l` that `isOddName` says so of. */
export const ODD_NAMES_OF_LINE = `lateral (
  select name from unnest(array[l.cost_center, l.vendor_name, l.booker_name] || l.traveler_names || l.labels) each (name)
  where name <> '' and name !~ '${PLAIN}') n`

/** Notes the names that are not noted, in one order: two transactions never wait in a ring. */
export async function noteNameLooks(sql: Sql, organizationId: OrganizationId, names: Iterable<string>): Promise<void> {
  const odd = [...new Set(names)].sort()
  if (odd.length === 0) return
  // held until the lines are there: who deletes the data of another account waits for them
  await sql('select from name_look where organization_id = $1 and name = any($2::text[]) order by name for key share', [
    organizationId,
    odd,
  ])
  await sql(
    `insert into name_look (organization_id, name, look)
     select $1, n.name, n.look from unnest($2::text[], $3::text[]) n (name, look)
     where not exists (select from name_look k where k.organization_id = $1 and k.name = n.name)
     on conflict do nothing`,
    [organizationId, odd, odd.map(foldName)],
  )
}

/** Notes the names of all lines that are stored. */
export async function fillNameLooks(sql: Sql, organizationId: OrganizationId): Promise<void> {
  const found = await sql<{ name: string }>(
    `select distinct n.name from line l, ${ODD_NAMES_OF_LINE} where l.organization_id = $1
     and not exists (select from name_look k where k.organization_id = $1 and k.name = n.name)`,
    [organizationId],
  )
  await noteNameLooks(
    sql,
    organizationId,
    found.map(({ name }) => name),
  )
}
