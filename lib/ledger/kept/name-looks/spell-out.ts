import type { Sql } from '#lib/db/tenant.ts'
import type { OrganizationId } from '#lib/ids.ts'
import { foldName } from '#lib/reconcile/look-alikes.ts'
import { FOLDED_FILTERS, type LineFilters } from '../../query/line-query.ts'

/**
 * The filters with every spelling of the names that they ask for, where names that look alike count
 * as one; the same filters otherwise. What reads lines asks for it first.
 */
export async function spellOut<Filters extends LineFilters>(
  sql: Sql,
  organizationId: OrganizationId,
  filters: Filters,
): Promise<Filters> {
  if (filters.foldsNames !== true) return filters
  const asked = FOLDED_FILTERS.flatMap((name) => filters[name])
  if (asked.length === 0) return filters
  const noted = await sql<{ name: string; look: string }>(
    'select name, look from name_look where organization_id = $1 and look = any($2::text[]) order by name',
    [organizationId, [...new Set(asked.map(foldName))]],
  )
  const toSpellings = (names: readonly string[]) => {
    const looks = new Set(names.map(foldName))
    return [...new Set([...looks, ...noted.flatMap(({ name, look }) => (looks.has(look) ? [name] : []))])]
  }
  const spelled = FOLDED_FILTERS.flatMap((name) =>
    filters[name].length === 0 ? [] : [[name, toSpellings(filters[name])] as const],
  )
  return { ...filters, ...Object.fromEntries(spelled) }
}
