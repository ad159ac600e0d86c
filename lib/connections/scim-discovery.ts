import { type Sql, withTenantSql } from '../db/tenant.ts'
import { SCIM_ENDPOINTS, type ScimEndpoint, type ScimProblem, type ScimProblemCode } from '../partner/scim-model.ts'
import type { ConnectionId } from './connection-id.ts'
import type { ScimCheckFailure } from './scim-checks.ts'

/** How many kept answers of an endpoint are read back for the page. */
const SHOWN_ANSWERS = 5

/** Whether there is a key, and who last entered or removed it; never the key. Moments are ISO 8601 in UTC. */
export type ScimKeyState = { kind: 'none' } | { kind: 'set' | 'removed'; changedAt: string; changedBy: string | null }

export type ScimCheckState = {
  id: string
  status: 'queued' | 'running' | 'finished' | 'failed'
  failure: ScimCheckFailure | null
  requestedAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** An answer as received. It holds whatever the platform sent. */
export type ScimAnswer = { number: number; receivedAt: string; contentType: string | null; raw: string }

export type ScimEndpointState = {
  endpoint: ScimEndpoint
  /** Null when it was never asked. */
  lastCheckedAt: string | null
  lastReadAt: string | null
  /** Why the last attempt brought no answer; null when it did. */
  problem: ScimProblem | null
  /** The answers kept, newest first, at most five; the number of the first is how many there are. */
  answers: ScimAnswer[]
}

/** The state of a connection's key and of its current or last check: what a page that waits has to know. */
export type ScimStatus = { key: ScimKeyState; check: ScimCheckState | null }

export type ScimDiscovery = ScimStatus & { endpoints: ScimEndpointState[] }

/** The status alone; null when the organization has no such connection. */
export function getScimStatus(organizationId: string, connectionId: ConnectionId): Promise<ScimStatus | null> {
  return withTenantSql(organizationId, (sql) => readStatus(sql, organizationId, connectionId))
}

/**
 * All that is known of a connection's SCIM API; `endpoints` has all three, in the order in which they are asked. Null when
 * the organization has no such connection.
 */
export function getScimDiscovery(organizationId: string, connectionId: ConnectionId): Promise<ScimDiscovery | null> {
  return withTenantSql(organizationId, async (sql) => {
    const status = await readStatus(sql, organizationId, connectionId)
    if (status === null) return null
    const states = await sql<EndpointRow>(
      `select endpoint, last_checked_at, last_read_at, http_status, problem_code, problem_detail
       from scim_endpoint where organization_id = $1 and connection_id = $2`,
      [organizationId, connectionId],
    )
    const answers = await sql<AnswerRow>(
      `select endpoint, number, received_at, content_type, raw
       from (select *, row_number() over (partition by endpoint order by number desc) as recency
             from scim_answer where organization_id = $1 and connection_id = $2) as kept
       where recency <= $3 order by endpoint, number desc`,
      [organizationId, connectionId, SHOWN_ANSWERS],
    )
    return { ...status, endpoints: SCIM_ENDPOINTS.map((endpoint) => toEndpointState(endpoint, states, answers)) }
  })
}

type EndpointRow = {
  endpoint: ScimEndpoint
  last_checked_at: Date
  last_read_at: Date | null
  http_status: number | null
  problem_code: ScimProblemCode | null
  problem_detail: string | null
}

type AnswerRow = { endpoint: ScimEndpoint; number: number; received_at: Date; content_type: string | null; raw: string }

function toEndpointState(endpoint: ScimEndpoint, states: EndpointRow[], answers: AnswerRow[]): ScimEndpointState {
  const state = states.find((row) => row.endpoint === endpoint)
  return {
    endpoint,
    lastCheckedAt: toIso(state?.last_checked_at ?? null),
    lastReadAt: toIso(state?.last_read_at ?? null),
    problem: state ? toProblem(state) : null,
    answers: answers
      .filter((row) => row.endpoint === endpoint)
      .map((row) => ({
        number: row.number,
        receivedAt: row.received_at.toISOString(),
        contentType: row.content_type,
        raw: row.raw,
      })),
  }
}

function toProblem(row: EndpointRow): ScimProblem | null {
  if (row.problem_code === null) return null
  return { code: row.problem_code, httpStatus: row.http_status, detail: row.problem_detail }
}

async function readStatus(sql: Sql, organizationId: string, connectionId: ConnectionId): Promise<ScimStatus | null> {
  const [key] = await sql<KeyRow>(
    `select k.key_id is not null as has_key, k.changed_at, u.name as changed_by
     from connection c
     left join scim_credential k on k.organization_id = c.organization_id and k.connection_id = c.id
     left join app_user u on u.organization_id = k.organization_id and u.id = k.changed_by
     where c.organization_id = $1 and c.id = $2`,
    [organizationId, connectionId],
  )
  if (key === undefined) return null
  const [check] = await sql<CheckRow>(
    `select id, status, failure, requested_at, started_at, finished_at from scim_check
     where organization_id = $1 and connection_id = $2 order by requested_at desc limit 1`,
    [organizationId, connectionId],
  )
  return { key: toKeyState(key), check: check === undefined ? null : toCheckState(check) }
}

type KeyRow = { has_key: boolean; changed_at: Date | null; changed_by: string | null }

type CheckRow = Pick<ScimCheckState, 'id' | 'status' | 'failure'> & {
  requested_at: Date
  started_at: Date | null
  finished_at: Date | null
}

function toCheckState(row: CheckRow): ScimCheckState {
  const { id, status, failure } = row
  return {
    id,
    status,
    failure,
    requestedAt: row.requested_at.toISOString(),
    startedAt: toIso(row.started_at),
    finishedAt: toIso(row.finished_at),
  }
}

function toKeyState(row: KeyRow): ScimKeyState {
  if (row.changed_at === null) return { kind: 'none' }
  return {
    kind: row.has_key ? 'set' : 'removed',
    changedAt: row.changed_at.toISOString(),
    changedBy: row.changed_by,
  }
}

function toIso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString()
}
