import { type Sql, withTenantSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import type { ScimReading } from '#lib/partner/scim/scim-client.ts'
import { parseScimJson } from '#lib/partner/scim/scim-list.ts'
import type { ScimEndpoint } from '#lib/partner/scim/scim-model.ts'
import { hashContent } from '#lib/partner/wire/hash-content.ts'
import type { ClaimedScimCheck } from './scim-checks.ts'

export type ScimReadings = { endpoint: ScimEndpoint; reading: ScimReading }[]

/**
 * Stores what the endpoints said and ends the check, in one transaction. Keeps an answer when its
 * content differs from the last one kept; white space and the order of members do not count. False,
 * with nothing stored, once another worker has taken over.
 */
export function storeScimReadings(check: ClaimedScimCheck, readings: ScimReadings): Promise<boolean> {
  const { organizationId, connectionId } = check
  return withTenantSql(organizationId, async (sql) => {
    const ended = await sql(
      `update scim_check set status = 'finished', finished_at = now(), lease_until = null
       where organization_id = $1 and id = $2 and fence = $3 and status = 'running' returning 1 as ended`,
      [organizationId, check.id, check.fence],
    )
    if (ended.length === 0) return false
    for (const { endpoint, reading } of readings) {
      await storeOutcome(sql, [organizationId, connectionId, endpoint], reading)
      if (reading.kind === 'answer') await keepAnswer(sql, [organizationId, connectionId, endpoint], reading)
    }
    return true
  })
}

type Key = [organizationId: OrganizationId, connectionId: ConnectionId, endpoint: ScimEndpoint]

async function storeOutcome(sql: Sql, key: Key, reading: ScimReading): Promise<void> {
  const problem = reading.kind === 'problem' ? reading.problem : null
  await sql(
    `insert into scim_endpoint (organization_id, connection_id, endpoint, last_checked_at, last_read_at, http_status,
                                problem_code, problem_detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (organization_id, connection_id, endpoint) do update
     set last_checked_at = $4, last_read_at = coalesce($5, scim_endpoint.last_read_at), http_status = $6,
         problem_code = $7, problem_detail = $8`,
    [
      ...key,
      reading.receivedAt,
      problem === null ? reading.receivedAt : null,
      reading.kind === 'answer' ? reading.httpStatus : (problem?.httpStatus ?? null),
      problem?.code ?? null,
      problem?.detail ?? null,
    ],
  )
}

async function keepAnswer(sql: Sql, key: Key, answer: Extract<ScimReading, { kind: 'answer' }>): Promise<void> {
  await sql(
    `insert into scim_answer (organization_id, connection_id, endpoint, number, received_at, content_type, raw, content_hash)
     select $1, $2, $3, coalesce(last.number, 0) + 1, $4, $5, $6, $7
     from (select 1) as one left join lateral (
       select number, content_hash from scim_answer
       where organization_id = $1 and connection_id = $2 and endpoint = $3 order by number desc limit 1) as last on true
     where last.content_hash is distinct from $7
     returning 1`,
    [...key, answer.receivedAt, answer.contentType, answer.text, toHash(answer.text)],
  )
}

function toHash(text: string): string {
  const parsed = parseScimJson(text)
  return hashContent(parsed.ok ? parsed.value : text)
}
