import type { OrganizationId } from '#lib/ids.ts'
import { DEFAULT_LINE_QUERY } from '../query/line-query.ts'
import type { SqlParameters } from '../sql/sql-parameters.ts'
import { toLineConditions } from './line-conditions.ts'
import { chooseLineSource } from './line-source.ts'

/** SQL that counts all lines of the organization. */
export function toLineCountQuery(organizationId: OrganizationId, parameters: SqlParameters): string {
  const source = chooseLineSource(DEFAULT_LINE_QUERY, [])
  return `select coalesce(${source.lineCount}, 0)::int as count from ${source.from}
          where ${toLineConditions(organizationId, DEFAULT_LINE_QUERY, parameters, source)}`
}
