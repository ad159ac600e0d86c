import type { Records } from '#lib/db/records.ts'
import { withTenant } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId } from '#lib/ids.ts'
import {
  SCIM_ENDPOINTS,
  type ScimEndpoint,
  type ScimProblem,
  type ScimProblemCode,
} from '#lib/partner/scim/scim-model.ts'
import type { ScimCheckFailure } from './scim-checks.ts'

/** How many kept answers of an endpoint the page gets. */
const SHOWN_ANSWERS = 5

/** Whether there is a key, and who last changed it; never the key. Moments are ISO 8601, UTC. */
export type ScimKeyState = { kind: 'none' } | { kind: 'set' | 'removed'; changedAt: string; changedBy: string | null }

export type ScimCheckState = {
  id: string
  status: 'queued' | 'running' | 'finished' | 'failed'
  failure: ScimCheckFailure | null
  requestedAt: string
  startedAt: string | null
  finishedAt: string | null
}

/** An answer as received: any text the platform may send. */
type ScimAnswer = { number: number; receivedAt: string; contentType: string | null; raw: string }

export type ScimEndpointState = {
  endpoint: ScimEndpoint
  /** Null when it was never asked. */
  lastCheckedAt: string | null
  lastReadAt: string | null
  /** Why the last attempt brought no answer; null when it did. */
  problem: ScimProblem | null
  /** The kept answers, newest first, at most five. The first one's number is their total. */
  answers: ScimAnswer[]
}

/** A connection's key and its current or last check: what a waiting page has to know. */
export type ScimStatus = { key: ScimKeyState; check: ScimCheckState | null }

export type ScimDiscovery = ScimStatus & { endpoints: ScimEndpointState[] }

/** The status alone; null when the organization has no such connection. */
export function getScimStatus(organizationId: OrganizationId, connectionId: ConnectionId): Promise<ScimStatus | null> {
  return withTenant(organizationId, (records) => readStatus(records, organizationId, connectionId))
}

/**
 * All that is known of a connection's SCIM API. `endpoints` has all three, in the order they are
 * asked. Null when the organization has no such connection.
 */
export function getScimDiscovery(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<ScimDiscovery | null> {
  return withTenant(organizationId, async (records, sql) => {
    const status = await readStatus(records, organizationId, connectionId)
    if (status === null) return null
    const states = await records.scimEndpoint.findMany({ where: { organizationId, connectionId } })
    const answers = await sql<AnswerRow>(
      `select endpoint, number, received_at as "receivedAt", content_type as "contentType", raw
       from (select *, row_number() over (partition by endpoint order by number desc) as recency
             from scim_answer where organization_id = $1 and connection_id = $2) as kept
       where recency <= $3 order by endpoint, number desc`,
      [organizationId, connectionId, SHOWN_ANSWERS],
    )
    return { ...status, endpoints: SCIM_ENDPOINTS.map((endpoint) => toEndpointState(endpoint, states, answers)) }
  })
}

type EndpointRow = {
  endpoint: string
  lastCheckedAt: Date
  lastReadAt: Date | null
  httpStatus: number | null
  problemCode: string | null
  problemDetail: string | null
}

type AnswerRow = Omit<ScimAnswer, 'receivedAt'> & { endpoint: ScimEndpoint; receivedAt: Date }

function toEndpointState(endpoint: ScimEndpoint, states: EndpointRow[], answers: AnswerRow[]): ScimEndpointState {
  const state = states.find((row) => row.endpoint === endpoint)
  return {
    endpoint,
    lastCheckedAt: toIso(state?.lastCheckedAt ?? null),
    lastReadAt: toIso(state?.lastReadAt ?? null),
    problem: state ? toProblem(state) : null,
    answers: answers
      .filter((row) => row.endpoint === endpoint)
      .map(({ number, receivedAt, contentType, raw }) => ({
        number,
        receivedAt: receivedAt.toISOString(),
        contentType,
        raw,
      })),
  }
}

function toProblem({ problemCode, httpStatus, problemDetail }: EndpointRow): ScimProblem | null {
  if (problemCode === null) return null
  // the table's check constraint knows the same codes
  return { code: problemCode as ScimProblemCode, httpStatus, detail: problemDetail }
}

async function readStatus(
  records: Records,
  organizationId: OrganizationId,
  connectionId: ConnectionId,
): Promise<ScimStatus | null> {
  const found = await records.connection.findFirst({
    where: { organizationId, id: connectionId },
    select: {
      scimCredential: { select: { keyId: true, changedAt: true, changedBy: true } },
      scimChecks: {
        orderBy: { requestedAt: 'desc' },
        take: 1,
        select: { id: true, status: true, failure: true, requestedAt: true, startedAt: true, finishedAt: true },
      },
    },
    relationLoadStrategy: 'join',
  })
  if (found === null) return null
  const { scimCredential: key, scimChecks } = found
  const changer =
    key === null
      ? null
      : await records.user.findFirst({ where: { organizationId, id: key.changedBy }, select: { name: true } })
  const [check] = scimChecks
  return { key: toKeyState(key, changer?.name ?? null), check: check === undefined ? null : toCheckState(check) }
}

type CheckRow = {
  id: string
  status: string
  failure: string | null
  requestedAt: Date
  startedAt: Date | null
  finishedAt: Date | null
}

function toCheckState({ id, status, failure, requestedAt, startedAt, finishedAt }: CheckRow): ScimCheckState {
  return {
    id,
    // the table's check constraints know the same words
    status: status as ScimCheckState['status'],
    failure: failure as ScimCheckState['failure'],
    requestedAt: requestedAt.toISOString(),
    startedAt: toIso(startedAt),
    finishedAt: toIso(finishedAt),
  }
}

function toKeyState(key: { keyId: string | null; changedAt: Date } | null, changedBy: string | null): ScimKeyState {
  if (key === null) return { kind: 'none' }
  return { kind: key.keyId === null ? 'removed' : 'set', changedAt: key.changedAt.toISOString(), changedBy }
}

function toIso(moment: Date | null): string | null {
  return moment === null ? null : moment.toISOString()
}
