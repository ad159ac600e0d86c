/**
 * Every route and page: its file, and by hand who may use it at least, what the audit tells of it,
 * and an example request. The paths are Next.js's own (`next typegen`): a missing one does not
 * compile, nor does a handler or page without a declared access (lib/auth/doors/api-route.ts and
 * desk-page.ts). Who may is said again on purpose: a weakened role, a new route or a newly open one
 * fails a test until someone changes this table too. Only tests read it.
 */

import type { AuditAction } from '#lib/audit/model.ts'
import type { DeclaredRoute, DirectoryMethod, Method } from '#lib/auth/doors/api-route.ts'
import type { DeclaredPage } from '#lib/auth/doors/desk-page.ts'
import type { Role } from '#lib/auth/permissions.ts'
import type { AppRouteHandlerRoutes, AppRoutes } from '../../.next/types/routes.d.ts'

/** What the path's handlers are about. */
type SubjectOf<Path extends string> = Path extends `/api/connections/[id]${string}`
  ? 'connection'
  : Path extends `/api/scim/${string}`
    ? 'directory'
    : 'none'

/** What a path's handlers may be: only a directory's routes have more than two. */
type MethodOf<Path extends string> = SubjectOf<Path> extends 'directory' ? DirectoryMethod : Method

/** Next.js makes a route of each of these exports. */
type ServedMethod = DirectoryMethod | 'HEAD' | 'OPTIONS'

/** What a `route.ts` may export. */
export type RouteModule<Path extends string> = {
  readonly [M in MethodOf<Path>]?: DeclaredRoute<M, SubjectOf<Path>>
} & { readonly [M in Exclude<ServedMethod, MethodOf<Path>>]?: never }

/** What a `page.tsx` may export. */
export type PageModule<Path extends string> = { readonly default: DeclaredPage<Path> }

/** Who gets in where a row says this role: once more by hand, beside lib/auth/permissions.ts. */
export const ADMITTED: Record<Role, readonly Role[]> = {
  viewer: ['viewer', 'auditor', 'finance', 'approver', 'admin'],
  auditor: ['auditor', 'admin'],
  finance: ['finance', 'approver', 'admin'],
  approver: ['approver', 'admin'],
  admin: ['admin'],
}

/** `directory`: no person, but a company directory with its token. */
type Least = Role | 'anyone' | 'directory'

/** What the world of the route walk has, for the requests that name something of it. */
type WalkRecords = {
  connectionId: string
  personId: string
  invitationId: string
  groupId: string
  attachmentId: string
  serialNumber: string
  /** In every text of the organization. */
  canary: string
}
type Example<Value> = Value | ((records: WalkRecords) => Value)

/**
 * `audited`: of a GET, that it takes data out or finishes what a POST began. `unaudited`: why the
 * audit tells nothing. `body`: one that the route takes, without which a refusal might only be
 * about the body. `query`: where nothing of the organization is told without one.
 */
type HandlerRow = {
  readonly least: Least
  readonly audited?: readonly AuditAction[]
  readonly unaudited?: string
  readonly body?: Example<Record<string, unknown>>
  /** A body that is no JSON, in its place. */
  readonly bytes?: string
  readonly query?: Example<string>
}

/** What changes something says what the audit tells of it, or why nothing. */
type Told = { readonly audited: readonly AuditAction[] } | { readonly unaudited: string }

type RouteRow<Path extends string> = { readonly load: () => Promise<RouteModule<Path>> } & {
  readonly [M in DirectoryMethod]?: M extends MethodOf<Path> ? HandlerRow & (M extends 'POST' ? Told : unknown) : never
}
type PageRow<Path extends string> = {
  readonly load: () => Promise<PageModule<Path>>
  readonly least: Least
  readonly query?: Example<string>
}

const ofLine = (connectionId: string) => ({ kind: 'line', key: 'line-1', connection: connectionId })
const ofMonth = (connectionId: string) => ({ kind: 'connection_month', connectionId, month: '2026-01' })
const ofInvoice = ({ connectionId, serialNumber }: WalkRecords) => ({
  kind: 'invoice',
  connection: connectionId,
  serial: serialNumber,
})
/** An id that nothing has. */
const NOBODY = '00000000-0000-4000-8000-000000000000'
const ofConnection = ({ connectionId }: WalkRecords) => `?connection=${connectionId}`

export const ROUTES: { readonly [Path in AppRouteHandlerRoutes]: RouteRow<Path> } = {
  '/api/account/digest': {
    load: () => import('../api/account/digest/route.ts'),
    POST: { least: 'viewer', audited: ['people.digest'], body: { rhythm: 'daily' } },
  },
  '/api/account/digest/now': {
    load: () => import('../api/account/digest/now/route.ts'),
    POST: { least: 'viewer', unaudited: 'it changes nothing: the row of the digest says that it was asked for' },
  },
  '/api/account/formats': {
    load: () => import('../api/account/formats/route.ts'),
    POST: {
      least: 'viewer',
      audited: ['people.formats'],
      body: { numberFormat: 'indian', dateFormat: '', timeZone: '' },
    },
  },
  '/api/account/name': {
    load: () => import('../api/account/name/route.ts'),
    POST: { least: 'viewer', audited: ['people.name'], body: { name: 'stranger' } },
  },
  '/api/account/passkeys': {
    load: () => import('../api/account/passkeys/route.ts'),
    POST: { least: 'viewer', audited: ['passkey.add'], body: { name: 'A key', response: {} } },
  },
  '/api/account/passkeys/options': {
    load: () => import('../api/account/passkeys/options/route.ts'),
    POST: { least: 'viewer', unaudited: 'it only makes a challenge, which nobody has answered yet' },
  },
  '/api/account/passkeys/remove': {
    load: () => import('../api/account/passkeys/remove/route.ts'),
    POST: { least: 'viewer', audited: ['passkey.remove'], body: { id: 'none' } },
  },
  '/api/account/password': {
    load: () => import('../api/account/password/route.ts'),
    POST: { least: 'viewer', audited: ['password.changed'], body: { old: 'the same one', chosen: 'the same one' } },
  },
  '/api/account/second-step/begin': {
    load: () => import('../api/account/second-step/begin/route.ts'),
    POST: { least: 'viewer', unaudited: 'a secret without a first right code counts for nothing' },
  },
  '/api/account/second-step/codes': {
    load: () => import('../api/account/second-step/codes/route.ts'),
    POST: { least: 'viewer', audited: ['second-step.renew-codes'] },
  },
  '/api/account/second-step/codes/kept': {
    load: () => import('../api/account/second-step/codes/kept/route.ts'),
    POST: { least: 'viewer', unaudited: 'it only takes the shown codes away from the browser' },
  },
  '/api/account/second-step/confirm': {
    load: () => import('../api/account/second-step/confirm/route.ts'),
    POST: {
      least: 'viewer',
      unaudited: 'it only says that the session’s password was typed again',
      body: { password: 'not the password' },
    },
  },
  '/api/account/second-step/disable': {
    load: () => import('../api/account/second-step/disable/route.ts'),
    POST: { least: 'viewer', audited: ['second-step.disable'] },
  },
  '/api/account/second-step/enable': {
    load: () => import('../api/account/second-step/enable/route.ts'),
    POST: { least: 'viewer', audited: ['second-step.enable'], body: { code: '000000' } },
  },
  '/api/account/sessions': {
    load: () => import('../api/account/sessions/route.ts'),
    POST: { least: 'viewer', audited: ['sessions.ended'], body: { end: '0'.repeat(64) } },
  },
  '/api/audit/export': {
    load: () => import('../api/audit/export/route.ts'),
    GET: { least: 'auditor', audited: ['audit.export-started', 'audit.export-ended'] },
  },
  '/api/audit/verify': {
    load: () => import('../api/audit/verify/route.ts'),
    POST: { least: 'auditor', audited: ['audit.verified'] },
  },
  '/api/auth/[...nextauth]': {
    load: () => import('../api/auth/[...nextauth]/route.ts'),
    GET: {
      least: 'anyone',
      audited: [
        'connection.connected',
        'connection.reconnect-consented',
        'connection.connect-refused',
        'single-sign-on.signed-in',
        'single-sign-on.refused',
      ],
    },
  },
  '/api/checks': {
    load: () => import('../api/checks/route.ts'),
    POST: { least: 'admin', audited: ['checks.set'], body: { code: 'line_total', level: 'finding' } },
  },
  '/api/checks/fiscal-year': {
    load: () => import('../api/checks/fiscal-year/route.ts'),
    POST: { least: 'admin', audited: ['checks.fiscal-year'], body: { month: 1 } },
  },
  '/api/checks/habit': {
    load: () => import('../api/checks/habit/route.ts'),
    POST: {
      least: 'finance',
      audited: ['checks.habit'],
      body: ({ connectionId }) => ({
        connection: connectionId,
        rate: '19',
        code: 'tax',
        convention: 'tax_per_unit',
        decision: 'declined',
      }),
    },
  },
  '/api/close/preview': {
    load: () => import('../api/close/preview/route.ts'),
    POST: {
      least: 'viewer',
      unaudited: 'it says what a sign-off would be of, and changes nothing',
      body: ({ connectionId }) => ({ scope: ofMonth(connectionId), step: 'prepared' }),
    },
  },
  '/api/close/prepare': {
    load: () => import('../api/close/prepare/route.ts'),
    POST: {
      least: 'finance',
      audited: ['close.prepared'],
      body: ({ connectionId }) => ({ scope: ofMonth(connectionId), sealHex: '0'.repeat(64) }),
    },
  },
  '/api/close/approve': {
    load: () => import('../api/close/approve/route.ts'),
    POST: {
      least: 'approver',
      audited: ['close.approved'],
      body: ({ connectionId }) => ({ scope: ofMonth(connectionId), sealHex: '0'.repeat(64) }),
    },
  },
  '/api/close/withdraw': {
    load: () => import('../api/close/withdraw/route.ts'),
    POST: {
      least: 'viewer',
      audited: ['close.withdrawn'],
      body: { signOff: '00000000-0000-4000-8000-000000000000' },
    },
  },
  '/api/close/lock': {
    load: () => import('../api/close/lock/route.ts'),
    POST: {
      least: 'approver',
      audited: ['close.locked'],
      body: ({ connectionId }) => ({ scope: ofMonth(connectionId) }),
    },
  },
  '/api/close/reopen': {
    load: () => import('../api/close/reopen/route.ts'),
    POST: { least: 'approver', audited: ['close.reopened'], body: { lock: '1', reason: 'a late credit' } },
  },
  '/api/close/rules': {
    load: () => import('../api/close/rules/route.ts'),
    POST: {
      least: 'finance',
      audited: ['rule.made', 'rule.changed'],
      // of a rule that nobody has: another organization would make one of its own
      body: {
        rule: '00000000-0000-4000-8000-000000000000',
        version: 1,
        verb: 'accept',
        activeFrom: '2026-01-01',
      },
    },
  },
  '/api/close/rules/trial': {
    load: () => import('../api/close/rules/trial/route.ts'),
    POST: {
      least: 'finance',
      audited: ['rule.tried'],
      body: { rule: '00000000-0000-4000-8000-000000000000', version: 1, from: '2026-01', to: '2026-06' },
    },
  },
  '/api/close/rules/switch': {
    load: () => import('../api/close/rules/switch/route.ts'),
    POST: {
      least: 'finance',
      audited: ['rule.turned-on', 'rule.turned-off'],
      body: { rule: '00000000-0000-4000-8000-000000000000' },
    },
  },
  '/api/close/rules/approving': {
    load: () => import('../api/close/rules/approving/route.ts'),
    POST: { least: 'admin', audited: ['rule.approving-allowed'], body: { allowed: 'no' } },
  },
  '/api/close/exception': {
    load: () => import('../api/close/exception/route.ts'),
    POST: {
      least: 'approver',
      audited: ['close.exception-granted', 'close.exception-ended'],
      body: { end: '00000000-0000-4000-8000-000000000000' },
    },
  },
  '/api/connections': {
    load: () => import('../api/connections/route.ts'),
    GET: { least: 'viewer' },
  },
  '/api/connections/[id]/disconnect': {
    load: () => import('../api/connections/[id]/disconnect/route.ts'),
    POST: { least: 'admin', audited: ['connection.disconnect-requested'], body: { data: 'keep' } },
  },
  '/api/connections/[id]/name': {
    load: () => import('../api/connections/[id]/name/route.ts'),
    POST: { least: 'admin', audited: ['connection.name'], body: { name: '' } },
  },
  '/api/connections/[id]/other-account': {
    load: () => import('../api/connections/[id]/other-account/route.ts'),
    POST: {
      least: 'admin',
      audited: ['connection.other-account-kept', 'connection.other-account-discarded'],
      body: { choice: 'keep' },
    },
  },
  '/api/connections/[id]/scim': {
    load: () => import('../api/connections/[id]/scim/route.ts'),
    GET: { least: 'viewer' },
  },
  '/api/connections/[id]/scim/check': {
    load: () => import('../api/connections/[id]/scim/check/route.ts'),
    POST: { least: 'admin', audited: ['connection.scim-checked'] },
  },
  '/api/connections/[id]/scim/key': {
    load: () => import('../api/connections/[id]/scim/key/route.ts'),
    POST: {
      least: 'admin',
      audited: ['connection.scim-key-stored', 'connection.scim-checked'],
      body: { apiKey: 'a-key' },
    },
  },
  '/api/connections/[id]/scim/key/remove': {
    load: () => import('../api/connections/[id]/scim/key/remove/route.ts'),
    POST: { least: 'admin', audited: ['connection.scim-key-removed'] },
  },
  '/api/connections/[id]/sync': {
    load: () => import('../api/connections/[id]/sync/route.ts'),
    GET: { least: 'viewer' },
    POST: { least: 'finance', audited: ['sync.started'] },
  },
  '/api/connections/[id]/sync/cancel': {
    load: () => import('../api/connections/[id]/sync/cancel/route.ts'),
    POST: { least: 'finance', audited: ['sync.canceled'] },
  },
  '/api/connections/[id]/sync/evidence': {
    load: () => import('../api/connections/[id]/sync/evidence/route.ts'),
    GET: { least: 'auditor' },
  },
  '/api/connections/[id]/sync/loss': {
    load: () => import('../api/connections/[id]/sync/loss/route.ts'),
    GET: { least: 'viewer' },
    POST: {
      least: 'admin',
      audited: ['loss.accepted', 'loss.refused', 'loss.taken-back'],
      body: { runId: '00000000-0000-4000-8000-000000000000', decision: 'rejected' },
    },
  },
  '/api/connections/[id]/sync/pause': {
    load: () => import('../api/connections/[id]/sync/pause/route.ts'),
    POST: { least: 'finance', audited: ['sync.paused'] },
  },
  '/api/connections/[id]/sync/reparse': {
    load: () => import('../api/connections/[id]/sync/reparse/route.ts'),
    POST: { least: 'finance', audited: ['sync.rejected-read-again'] },
  },
  '/api/connections/[id]/sync/resume': {
    load: () => import('../api/connections/[id]/sync/resume/route.ts'),
    POST: { least: 'finance', audited: ['sync.resumed'] },
  },
  '/api/connections/[id]/sync/schedule': {
    load: () => import('../api/connections/[id]/sync/schedule/route.ts'),
    POST: { least: 'admin', audited: ['connection.schedule'], body: { minutes: 60 } },
  },
  '/api/connections/[id]/sync/verify': {
    load: () => import('../api/connections/[id]/sync/verify/route.ts'),
    POST: { least: 'finance', audited: ['sync.verification-started'] },
  },
  '/api/connections/connect': {
    load: () => import('../api/connections/connect/route.ts'),
    POST: {
      least: 'admin',
      audited: ['connection.connect-started'],
      body: ({ connectionId }) => ({ connection: connectionId }),
    },
  },
  '/api/connections/hosts': {
    load: () => import('../api/connections/hosts/route.ts'),
    GET: { least: 'viewer' },
  },
  '/api/digest/off': {
    load: () => import('../api/digest/off/route.ts'),
    GET: { least: 'anyone' },
    POST: { least: 'anyone', audited: ['people.digest'] },
  },
  '/api/export/[list]': {
    load: () => import('../api/export/[list]/route.ts'),
    GET: {
      least: 'viewer',
      audited: ['export.started', 'export.ended'],
      query: ({ connectionId }) => `?format=csv&connection=${connectionId}`,
    },
  },
  '/api/filter-options': {
    load: () => import('../api/filter-options/route.ts'),
    GET: { least: 'viewer', query: '?filter=trips&q=' },
  },
  '/api/groups': {
    load: () => import('../api/groups/route.ts'),
    GET: { least: 'viewer', query: ({ connectionId }) => `?connection=${connectionId}&by=trip` },
  },
  '/api/health': {
    load: () => import('../api/health/route.ts'),
    GET: { least: 'anyone' },
  },
  '/api/invite': {
    load: () => import('../api/invite/route.ts'),
    POST: { least: 'anyone', audited: ['people.join'] },
  },
  '/api/invoices/document': {
    load: () => import('../api/invoices/document/route.ts'),
    POST: {
      least: 'viewer',
      audited: ['document.downloaded'],
      body: ({ connectionId, serialNumber }) => ({ connection: connectionId, serial: serialNumber }),
    },
  },
  '/api/invoices/rows': {
    load: () => import('../api/invoices/rows/route.ts'),
    GET: { least: 'viewer', query: ofConnection },
  },
  '/api/lines': {
    load: () => import('../api/lines/route.ts'),
    GET: { least: 'viewer', query: ofConnection },
  },
  '/api/lines/detail': {
    load: () => import('../api/lines/detail/route.ts'),
    GET: { least: 'viewer', query: ({ connectionId }) => `?connection=${connectionId}&id=line-1` },
  },
  '/api/lines/rows': {
    load: () => import('../api/lines/rows/route.ts'),
    GET: { least: 'viewer', query: ofConnection },
  },
  '/api/packs': {
    load: () => import('../api/packs/route.ts'),
    GET: { least: 'viewer', query: (records) => `?${new URLSearchParams(ofInvoice(records))}` },
    POST: { least: 'viewer', audited: ['pack.asked'], body: ofInvoice },
  },
  '/api/packs/file': {
    load: () => import('../api/packs/file/route.ts'),
    POST: { least: 'viewer', audited: ['pack.downloaded'], body: { pack: NOBODY } },
  },
  '/api/packs/links': {
    load: () => import('../api/packs/links/route.ts'),
    POST: { least: 'finance', audited: ['pack.link-made'], body: { pack: NOBODY, days: 7 } },
  },
  '/api/packs/links/withdraw': {
    load: () => import('../api/packs/links/withdraw/route.ts'),
    POST: { least: 'finance', audited: ['pack.link-withdrawn'], body: { link: NOBODY } },
  },
  '/api/packs/open': {
    load: () => import('../api/packs/open/route.ts'),
    POST: { least: 'anyone', audited: ['pack.link-opened'], body: { pack: 'none' } },
  },
  '/api/people': {
    load: () => import('../api/people/route.ts'),
    POST: {
      least: 'admin',
      audited: [
        'people.name',
        'people.role',
        'people.deactivate',
        'people.reactivate',
        'people.sign-out',
        'people.remove',
      ],
      body: ({ personId }) => ({ action: 'sign-out', user: personId }),
    },
  },
  '/api/people/invitations': {
    load: () => import('../api/people/invitations/route.ts'),
    POST: {
      least: 'admin',
      audited: ['people.invite', 'people.withdraw'],
      body: ({ invitationId }) => ({ action: 'withdraw', invitation: invitationId }),
    },
  },
  '/api/people/second-step/reset': {
    load: () => import('../api/people/second-step/reset/route.ts'),
    POST: { least: 'admin', audited: ['second-step.reset'], body: { user: '00000000-0000-4000-8000-000000000000' } },
  },
  '/api/ready': {
    load: () => import('../api/ready/route.ts'),
    GET: { least: 'anyone' },
  },
  '/api/review/decide': {
    load: () => import('../api/review/decide/route.ts'),
    POST: {
      least: 'finance',
      audited: ['review.accepted', 'review.disputed', 'review.withdrawn', 'review.undone'],
      body: {
        asked: { kind: 'accept', search: '' },
        hash: '0'.repeat(64),
        at: '2026-01-01T00:00:00.000Z',
        lastDecision: '0',
        reason: 'agreed',
      },
    },
  },
  '/api/review/decisions': {
    load: () => import('../api/review/decisions/route.ts'),
    GET: { least: 'viewer' },
  },
  '/api/review/line': {
    load: () => import('../api/review/line/route.ts'),
    GET: { least: 'viewer', query: ({ connectionId }) => `?connection=${connectionId}&id=line-1` },
  },
  '/api/review/news': { load: () => import('../api/review/news/route.ts'), GET: { least: 'viewer' } },
  '/api/review/preview': {
    load: () => import('../api/review/preview/route.ts'),
    POST: {
      least: 'finance',
      unaudited: 'it says what a decision would do, and changes nothing',
      body: { asked: { kind: 'accept', search: '' } },
    },
  },
  '/api/review/rows': { load: () => import('../api/review/rows/route.ts'), GET: { least: 'viewer' } },
  '/api/review/answers': { load: () => import('../api/review/answers/route.ts'), GET: { least: 'viewer' } },
  '/api/review/letter': {
    load: () => import('../api/review/letter/route.ts'),
    GET: { least: 'viewer', query: ofConnection },
    POST: {
      least: 'finance',
      audited: ['review.letter-sent'],
      body: ({ connectionId }) => ({
        connection: connectionId,
        invoice: 'INV-1',
        disputes: [{ lineId: 'line-1', decision: '1' }],
        sentOn: '2026-01-01',
        recipient: 'billing',
      }),
    },
  },
  '/api/review/letter/withdraw': {
    load: () => import('../api/review/letter/withdraw/route.ts'),
    POST: {
      least: 'finance',
      audited: ['review.letter-withdrawn'],
      body: { letter: '00000000-0000-4000-8000-000000000000' },
    },
  },
  '/api/review/settle': {
    load: () => import('../api/review/settle/route.ts'),
    POST: { least: 'finance', audited: ['review.settled'], body: { dispute: 'none', candidates: ['none'] } },
  },
  '/api/review/stop': {
    load: () => import('../api/review/stop/route.ts'),
    POST: { least: 'finance', audited: ['review.stopped'], body: { number: '1' } },
  },
  '/api/palette': {
    load: () => import('../api/palette/route.ts'),
    GET: { least: 'viewer', query: ({ serialNumber }) => `?q=${encodeURIComponent(serialNumber)}` },
  },
  '/api/scim/v2/Groups': {
    load: () => import('../api/scim/v2/Groups/route.ts'),
    GET: { least: 'directory' },
    POST: {
      least: 'directory',
      audited: ['directory.group-made', 'directory.access', 'directory.refused'],
      body: { displayName: 'Walk' },
    },
  },
  '/api/scim/v2/Groups/[id]': {
    load: () => import('../api/scim/v2/Groups/[id]/route.ts'),
    GET: { least: 'directory' },
    PUT: {
      least: 'directory',
      body: ({ canary }) => ({ displayName: canary, Operations: [{ op: 'add', path: 'externalId', value: 'x' }] }),
    },
    PATCH: {
      least: 'directory',
      body: ({ canary }) => ({ displayName: canary, Operations: [{ op: 'add', path: 'externalId', value: 'x' }] }),
    },
    DELETE: { least: 'directory' },
  },
  '/api/scim/v2/ResourceTypes': {
    load: () => import('../api/scim/v2/ResourceTypes/route.ts'),
    GET: { least: 'directory' },
  },
  '/api/scim/v2/ResourceTypes/[id]': {
    load: () => import('../api/scim/v2/ResourceTypes/[id]/route.ts'),
    GET: { least: 'directory' },
  },
  '/api/scim/v2/Schemas': {
    load: () => import('../api/scim/v2/Schemas/route.ts'),
    GET: { least: 'directory' },
  },
  '/api/scim/v2/Schemas/[id]': {
    load: () => import('../api/scim/v2/Schemas/[id]/route.ts'),
    GET: { least: 'directory' },
  },
  '/api/scim/v2/ServiceProviderConfig': {
    load: () => import('../api/scim/v2/ServiceProviderConfig/route.ts'),
    GET: { least: 'directory' },
  },
  '/api/scim/v2/Users': {
    load: () => import('../api/scim/v2/Users/route.ts'),
    GET: { least: 'directory' },
    POST: {
      least: 'directory',
      audited: ['directory.person-made', 'directory.person-taken', 'directory.access', 'directory.refused'],
      body: { userName: 'walk@example.com' },
    },
  },
  '/api/scim/v2/Users/[id]': {
    load: () => import('../api/scim/v2/Users/[id]/route.ts'),
    GET: { least: 'directory' },
    PUT: {
      least: 'directory',
      body: ({ canary }) => ({ userName: 'provisioned@example.com', displayName: canary, active: true }),
    },
    PATCH: { least: 'directory', body: { Operations: [{ op: 'add', path: 'externalId', value: 'x' }] } },
    DELETE: { least: 'directory' },
  },
  '/api/scim/v2/[...rest]': {
    load: () => import('../api/scim/v2/[...rest]/route.ts'),
    GET: { least: 'directory' },
    POST: { least: 'directory', unaudited: 'there is nothing there but a refusal' },
    PUT: { least: 'directory' },
    PATCH: { least: 'directory' },
    DELETE: { least: 'directory' },
  },
  '/api/settings/directory/default-role': {
    load: () => import('../api/settings/directory/default-role/route.ts'),
    POST: { least: 'admin', audited: ['directory.default-role', 'directory.access'], body: { role: '' } },
  },
  '/api/settings/directory/group-role': {
    load: () => import('../api/settings/directory/group-role/route.ts'),
    POST: {
      least: 'admin',
      audited: ['directory.group-role', 'directory.access'],
      body: ({ groupId }) => ({ group: groupId, role: 'viewer' }),
    },
  },
  '/api/settings/directory/token': {
    load: () => import('../api/settings/directory/token/route.ts'),
    POST: { least: 'admin', audited: ['directory.token-made'], body: { name: 'walk' } },
  },
  '/api/settings/directory/token/revoke': {
    load: () => import('../api/settings/directory/token/revoke/route.ts'),
    POST: {
      least: 'admin',
      audited: ['directory.token-revoked'],
      body: { token: '00000000-0000-4000-8000-000000000000' },
    },
  },
  '/api/settings/names': {
    load: () => import('../api/settings/names/route.ts'),
    POST: { least: 'admin', audited: ['organization.names'], body: { foldsNames: 'on' } },
  },
  '/api/settings/sign-off': {
    load: () => import('../api/settings/sign-off/route.ts'),
    POST: { least: 'admin', audited: ['organization.four-eyes'], body: { fourEyes: 'on' } },
  },
  '/api/settings/reasons': {
    load: () => import('../api/settings/reasons/route.ts'),
    POST: {
      least: 'admin',
      audited: [
        'review.reason-added',
        'review.reason-renamed',
        'review.reason-retired',
        'review.reason-restored',
        'review.reason-moved',
      ],
      // a list that nobody has seen: whoever may is refused, and changes nothing of their own
      body: { revision: '999', kind: 'dispute', change: 'add', words: 'Rebate is missing' },
    },
  },
  '/api/settings/formats': {
    load: () => import('../api/settings/formats/route.ts'),
    POST: {
      least: 'admin',
      audited: ['organization.formats'],
      body: { numberFormat: 'indian', dateFormat: '', timeZone: '' },
    },
  },
  '/api/settings/name': {
    load: () => import('../api/settings/name/route.ts'),
    POST: { least: 'admin', audited: ['organization.name'], body: { name: 'Second' } },
  },
  '/api/settings/second-step': {
    load: () => import('../api/settings/second-step/route.ts'),
    POST: { least: 'admin', audited: ['second-step.require'], body: { required: 'no' } },
  },
  '/api/settings/sessions': {
    load: () => import('../api/settings/sessions/route.ts'),
    POST: { least: 'admin', audited: ['sessions.limits'], body: { idleMinutes: 720, sessionDays: 30 } },
  },
  '/api/settings/single-sign-on': {
    load: () => import('../api/settings/single-sign-on/route.ts'),
    POST: { least: 'admin', audited: ['single-sign-on.provider'] },
  },
  '/api/settings/single-sign-on/mode': {
    load: () => import('../api/settings/single-sign-on/mode/route.ts'),
    POST: { least: 'admin', audited: ['single-sign-on.mode'], body: { mode: 'off' } },
  },
  '/api/sign-in': {
    load: () => import('../api/sign-in/route.ts'),
    POST: { least: 'anyone', audited: ['sign-in.done', 'sign-in.refused'] },
  },
  '/api/sign-in/forgotten': {
    load: () => import('../api/sign-in/forgotten/route.ts'),
    POST: { least: 'anyone', unaudited: 'whose address it is, only the worker looks up: password.link-mailed' },
  },
  '/api/sign-in/new-password': {
    load: () => import('../api/sign-in/new-password/route.ts'),
    POST: { least: 'anyone', audited: ['password.reset'] },
  },
  '/api/sign-in/passkey': {
    load: () => import('../api/sign-in/passkey/route.ts'),
    POST: { least: 'anyone', audited: ['sign-in.done'] },
  },
  '/api/sign-in/passkey/options': {
    load: () => import('../api/sign-in/passkey/options/route.ts'),
    POST: { least: 'anyone', unaudited: 'it only makes a challenge, which nobody has answered yet' },
  },
  '/api/sign-in/second-step': {
    load: () => import('../api/sign-in/second-step/route.ts'),
    POST: { least: 'anyone', audited: ['sign-in.done', 'second-step.use-code'] },
  },
  '/api/sign-out': {
    load: () => import('../api/sign-out/route.ts'),
    POST: { least: 'anyone', audited: ['sign-in.ended'] },
  },
  '/api/sso': {
    load: () => import('../api/sso/route.ts'),
    POST: { least: 'anyone', unaudited: 'it only leads to the identity provider: nobody is known yet' },
  },
  '/api/summaries': {
    load: () => import('../api/summaries/route.ts'),
    GET: { least: 'viewer', query: '?by=cost_center' },
  },
  '/api/talk': {
    load: () => import('../api/talk/route.ts'),
    GET: { least: 'viewer', query: ({ connectionId }) => `?kind=line&key=line-1&connection=${connectionId}` },
    POST: {
      least: 'finance',
      audited: ['comment.added', 'attachment.added'],
      body: ({ connectionId, canary }) => ({ ...ofLine(connectionId), text: canary }),
    },
  },
  '/api/talk/assign': {
    load: () => import('../api/talk/assign/route.ts'),
    POST: {
      least: 'finance',
      audited: ['review.assigned', 'review.unassigned'],
      body: ({ connectionId }) => ({ ...ofLine(connectionId), action: 'unassign' }),
    },
  },
  '/api/talk/edit': {
    load: () => import('../api/talk/edit/route.ts'),
    POST: {
      least: 'finance',
      audited: ['comment.edited'],
      body: { message: '00000000-0000-4000-8000-000000000000', version: 1, text: 'walk' },
    },
  },
  '/api/talk/files': {
    load: () => import('../api/talk/files/route.ts'),
    GET: { least: 'viewer', query: ({ attachmentId }) => `?id=${attachmentId}` },
    POST: {
      least: 'finance',
      unaudited: 'a file is of nobody’s comment yet: the comment that follows is told of, with its files',
      bytes: '%PDF-1.7 of the walk',
    },
  },
  '/api/talk/files/remove': {
    load: () => import('../api/talk/files/remove/route.ts'),
    POST: {
      least: 'finance',
      audited: ['attachment.removed'],
      body: ({ attachmentId }) => ({ file: attachmentId }),
    },
  },
  '/api/talk/mine': {
    load: () => import('../api/talk/mine/route.ts'),
    GET: { least: 'viewer' },
  },
  '/api/talk/read': {
    load: () => import('../api/talk/read/route.ts'),
    POST: {
      least: 'viewer',
      unaudited: 'whether a person has read what names them is nobody else’s business',
      body: ({ connectionId }) => ofLine(connectionId),
    },
  },
  '/api/talk/seen': {
    load: () => import('../api/talk/seen/route.ts'),
    POST: {
      least: 'viewer',
      unaudited: 'who has looked at a line stands beside it, and changes nothing of it',
      body: ({ connectionId }) => ({ connection: connectionId, id: 'line-1' }),
    },
  },
  '/api/views': {
    load: () => import('../api/views/route.ts'),
    POST: {
      least: 'viewer',
      unaudited: 'how a person looks at a list is seen by nobody else',
      body: { action: 'open-plain', list: 'lines', search: '' },
    },
  },
  '/api/views/team': {
    load: () => import('../api/views/team/route.ts'),
    POST: {
      least: 'finance',
      audited: ['view.shared', 'view.saved', 'view.renamed', 'view.removed'],
      body: { action: 'remove', list: 'lines', search: '', view: '00000000-0000-4000-8000-000000000000', version: 1 },
    },
  },
  '/api/webhooks/invoices': {
    load: () => import('../api/webhooks/invoices/route.ts'),
    POST: { least: 'anyone', unaudited: 'the platform is nobody, and what it says is only a hint' },
  },
}

export const PAGES: { readonly [Path in AppRoutes]: PageRow<Path> } = {
  '/': { load: () => import('../(desk)/(overview)/page.tsx'), least: 'viewer' },
  '/account': { load: () => import('../(desk)/account/page.tsx'), least: 'viewer' },
  '/audit': { load: () => import('../(desk)/audit/page.tsx'), least: 'auditor' },
  '/changes': { load: () => import('../(desk)/changes/page.tsx'), least: 'viewer' },
  '/changes/bridge': {
    load: () => import('../(desk)/changes/bridge/page.tsx'),
    least: 'viewer',
    query: () => '?from=2026-01-01T00:00:00.000Z&to=now&part=new',
  },
  '/checks': { load: () => import('../(desk)/checks/page.tsx'), least: 'viewer' },
  '/close': { load: () => import('../(desk)/close/page.tsx'), least: 'viewer' },
  '/close/rules': { load: () => import('../(desk)/close/rules/page.tsx'), least: 'viewer' },
  '/connect': { load: () => import('../connect/page.tsx'), least: 'anyone' },
  '/connections': { load: () => import('../(desk)/connections/(list)/page.tsx'), least: 'viewer' },
  '/connections/[id]': { load: () => import('../(desk)/connections/[id]/(connection)/page.tsx'), least: 'viewer' },
  '/connections/[id]/answers': { load: () => import('../(desk)/connections/[id]/answers/page.tsx'), least: 'auditor' },
  '/connections/[id]/coverage': { load: () => import('../(desk)/connections/[id]/coverage/page.tsx'), least: 'viewer' },
  '/connections/[id]/drift': { load: () => import('../(desk)/connections/[id]/drift/page.tsx'), least: 'auditor' },
  '/connections/[id]/loss': { load: () => import('../(desk)/connections/[id]/loss/page.tsx'), least: 'viewer' },
  '/connections/[id]/scim': { load: () => import('../(desk)/connections/[id]/scim/page.tsx'), least: 'viewer' },
  '/digest': { load: () => import('../(desk)/digest/page.tsx'), least: 'viewer' },
  '/groups': {
    load: () => import('../(desk)/(lists)/groups/page.tsx'),
    least: 'viewer',
    query: ({ connectionId }) => `?connection=${connectionId}&by=trip`,
  },
  '/invite': { load: () => import('../invite/page.tsx'), least: 'anyone' },
  '/invoices': { load: () => import('../(desk)/(lists)/invoices/page.tsx'), least: 'viewer', query: ofConnection },
  '/invoices/[connection]/[serial]': {
    load: () => import('../(desk)/invoices/[connection]/[serial]/page.tsx'),
    least: 'viewer',
  },
  '/lines': {
    load: () => import('../(desk)/(lists)/lines/page.tsx'),
    least: 'viewer',
    query: ({ connectionId }) => `?connection=${connectionId}&line=${connectionId}:line-1`,
  },
  '/trips/[id]': { load: () => import('../(desk)/trips/[id]/page.tsx'), least: 'viewer' },
  '/people': { load: () => import('../(desk)/people/page.tsx'), least: 'viewer' },
  '/review': { load: () => import('../(desk)/(lists)/review/page.tsx'), least: 'viewer' },
  '/decisions': { load: () => import('../(desk)/decisions/page.tsx'), least: 'viewer' },
  '/rejected': { load: () => import('../(desk)/rejected/page.tsx'), least: 'viewer' },
  '/settings': { load: () => import('../(desk)/settings/page.tsx'), least: 'admin' },
  '/sign-in': { load: () => import('../sign-in/page.tsx'), least: 'anyone' },
  '/sign-in/forgotten': { load: () => import('../sign-in/forgotten/page.tsx'), least: 'anyone' },
  '/sign-in/new-password': { load: () => import('../sign-in/new-password/page.tsx'), least: 'anyone' },
  '/sign-in/second-step': { load: () => import('../sign-in/second-step/page.tsx'), least: 'anyone' },
  '/pack': { load: () => import('../pack/page.tsx'), least: 'anyone' },
  '/unsubscribe': { load: () => import('../unsubscribe/page.tsx'), least: 'anyone' },
}

/** The routes that change something for other origins: the body or the address is signed. */
export const OPEN_TO_OTHER_ORIGINS = ['/api/digest/off', '/api/webhooks/invoices']

/** A handler or page of the tables. */
export type Handler = HandlerRow & { path: string; method: DirectoryMethod; isPage: boolean }

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Every handler and page, in the order of the tables. */
export const HANDLERS: readonly Handler[] = [
  ...Object.entries(ROUTES).flatMap(([path, row]) =>
    METHODS.flatMap((method) => {
      const said: HandlerRow | undefined = row[method]
      return said === undefined ? [] : [{ ...said, path, method, isPage: false }]
    }),
  ),
  ...Object.entries(PAGES).map(([path, { least, query }]) => ({
    path,
    method: 'GET' as const,
    isPage: true,
    least,
    query,
  })),
]
