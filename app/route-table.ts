/**
 * Every route and page, with what its file exports. The paths are Next.js's own (`next typegen`): a
 * missing one does not compile, nor does a handler or page without a declared access
 * (lib/auth/api-route.ts, lib/auth/desk-page.ts). Only tests load the modules.
 */

import type { DeclaredRoute, DirectoryMethod, Method } from '#lib/auth/api-route.ts'
import type { DeclaredPage } from '#lib/auth/desk-page.ts'
import type { AppRouteHandlerRoutes, AppRoutes } from '../.next/types/routes.d.ts'

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

export const ROUTES = {
  '/api/account/name': () => import('./api/account/name/route.ts'),
  '/api/account/passkeys': () => import('./api/account/passkeys/route.ts'),
  '/api/account/passkeys/options': () => import('./api/account/passkeys/options/route.ts'),
  '/api/account/passkeys/remove': () => import('./api/account/passkeys/remove/route.ts'),
  '/api/account/password': () => import('./api/account/password/route.ts'),
  '/api/account/second-step/begin': () => import('./api/account/second-step/begin/route.ts'),
  '/api/account/second-step/codes': () => import('./api/account/second-step/codes/route.ts'),
  '/api/account/second-step/codes/kept': () => import('./api/account/second-step/codes/kept/route.ts'),
  '/api/account/second-step/confirm': () => import('./api/account/second-step/confirm/route.ts'),
  '/api/account/second-step/disable': () => import('./api/account/second-step/disable/route.ts'),
  '/api/account/second-step/enable': () => import('./api/account/second-step/enable/route.ts'),
  '/api/account/sessions': () => import('./api/account/sessions/route.ts'),
  '/api/audit/export': () => import('./api/audit/export/route.ts'),
  '/api/audit/verify': () => import('./api/audit/verify/route.ts'),
  '/api/auth/[...nextauth]': () => import('./api/auth/[...nextauth]/route.ts'),
  '/api/checks': () => import('./api/checks/route.ts'),
  '/api/checks/fiscal-year': () => import('./api/checks/fiscal-year/route.ts'),
  '/api/checks/habit': () => import('./api/checks/habit/route.ts'),
  '/api/connections': () => import('./api/connections/route.ts'),
  '/api/connections/[id]/disconnect': () => import('./api/connections/[id]/disconnect/route.ts'),
  '/api/connections/[id]/name': () => import('./api/connections/[id]/name/route.ts'),
  '/api/connections/[id]/other-account': () => import('./api/connections/[id]/other-account/route.ts'),
  '/api/connections/[id]/scim': () => import('./api/connections/[id]/scim/route.ts'),
  '/api/connections/[id]/scim/check': () => import('./api/connections/[id]/scim/check/route.ts'),
  '/api/connections/[id]/scim/key': () => import('./api/connections/[id]/scim/key/route.ts'),
  '/api/connections/[id]/scim/key/remove': () => import('./api/connections/[id]/scim/key/remove/route.ts'),
  '/api/connections/[id]/sync': () => import('./api/connections/[id]/sync/route.ts'),
  '/api/connections/[id]/sync/cancel': () => import('./api/connections/[id]/sync/cancel/route.ts'),
  '/api/connections/[id]/sync/evidence': () => import('./api/connections/[id]/sync/evidence/route.ts'),
  '/api/connections/[id]/sync/loss': () => import('./api/connections/[id]/sync/loss/route.ts'),
  '/api/connections/[id]/sync/pause': () => import('./api/connections/[id]/sync/pause/route.ts'),
  '/api/connections/[id]/sync/reparse': () => import('./api/connections/[id]/sync/reparse/route.ts'),
  '/api/connections/[id]/sync/resume': () => import('./api/connections/[id]/sync/resume/route.ts'),
  '/api/connections/[id]/sync/schedule': () => import('./api/connections/[id]/sync/schedule/route.ts'),
  '/api/connections/[id]/sync/verify': () => import('./api/connections/[id]/sync/verify/route.ts'),
  '/api/connections/connect': () => import('./api/connections/connect/route.ts'),
  '/api/connections/hosts': () => import('./api/connections/hosts/route.ts'),
  '/api/export/[list]': () => import('./api/export/[list]/route.ts'),
  '/api/groups': () => import('./api/groups/route.ts'),
  '/api/health': () => import('./api/health/route.ts'),
  '/api/invite': () => import('./api/invite/route.ts'),
  '/api/invoices/document': () => import('./api/invoices/document/route.ts'),
  '/api/invoices/rows': () => import('./api/invoices/rows/route.ts'),
  '/api/lines': () => import('./api/lines/route.ts'),
  '/api/lines/detail': () => import('./api/lines/detail/route.ts'),
  '/api/lines/rows': () => import('./api/lines/rows/route.ts'),
  '/api/people': () => import('./api/people/route.ts'),
  '/api/people/invitations': () => import('./api/people/invitations/route.ts'),
  '/api/people/second-step/reset': () => import('./api/people/second-step/reset/route.ts'),
  '/api/ready': () => import('./api/ready/route.ts'),
  '/api/scim/v2/Groups': () => import('./api/scim/v2/Groups/route.ts'),
  '/api/scim/v2/Groups/[id]': () => import('./api/scim/v2/Groups/[id]/route.ts'),
  '/api/scim/v2/ResourceTypes': () => import('./api/scim/v2/ResourceTypes/route.ts'),
  '/api/scim/v2/ResourceTypes/[id]': () => import('./api/scim/v2/ResourceTypes/[id]/route.ts'),
  '/api/scim/v2/Schemas': () => import('./api/scim/v2/Schemas/route.ts'),
  '/api/scim/v2/Schemas/[id]': () => import('./api/scim/v2/Schemas/[id]/route.ts'),
  '/api/scim/v2/ServiceProviderConfig': () => import('./api/scim/v2/ServiceProviderConfig/route.ts'),
  '/api/scim/v2/Users': () => import('./api/scim/v2/Users/route.ts'),
  '/api/scim/v2/Users/[id]': () => import('./api/scim/v2/Users/[id]/route.ts'),
  '/api/scim/v2/[...rest]': () => import('./api/scim/v2/[...rest]/route.ts'),
  '/api/settings/directory/default-role': () => import('./api/settings/directory/default-role/route.ts'),
  '/api/settings/directory/group-role': () => import('./api/settings/directory/group-role/route.ts'),
  '/api/settings/directory/token': () => import('./api/settings/directory/token/route.ts'),
  '/api/settings/directory/token/revoke': () => import('./api/settings/directory/token/revoke/route.ts'),
  '/api/settings/name': () => import('./api/settings/name/route.ts'),
  '/api/settings/second-step': () => import('./api/settings/second-step/route.ts'),
  '/api/settings/sessions': () => import('./api/settings/sessions/route.ts'),
  '/api/settings/single-sign-on': () => import('./api/settings/single-sign-on/route.ts'),
  '/api/settings/single-sign-on/mode': () => import('./api/settings/single-sign-on/mode/route.ts'),
  '/api/sign-in': () => import('./api/sign-in/route.ts'),
  '/api/sign-in/forgotten': () => import('./api/sign-in/forgotten/route.ts'),
  '/api/sign-in/new-password': () => import('./api/sign-in/new-password/route.ts'),
  '/api/sign-in/passkey': () => import('./api/sign-in/passkey/route.ts'),
  '/api/sign-in/passkey/options': () => import('./api/sign-in/passkey/options/route.ts'),
  '/api/sign-in/second-step': () => import('./api/sign-in/second-step/route.ts'),
  '/api/sign-out': () => import('./api/sign-out/route.ts'),
  '/api/sso': () => import('./api/sso/route.ts'),
  '/api/summaries': () => import('./api/summaries/route.ts'),
  '/api/trips': () => import('./api/trips/route.ts'),
  '/api/webhooks/invoices': () => import('./api/webhooks/invoices/route.ts'),
} satisfies { [Path in AppRouteHandlerRoutes]: () => Promise<RouteModule<Path>> }

export const PAGES = {
  '/': () => import('./(desk)/(overview)/page.tsx'),
  '/account': () => import('./(desk)/account/page.tsx'),
  '/audit': () => import('./(desk)/audit/page.tsx'),
  '/changes': () => import('./(desk)/changes/page.tsx'),
  '/checks': () => import('./(desk)/checks/page.tsx'),
  '/connect': () => import('./connect/page.tsx'),
  '/connections': () => import('./(desk)/connections/(list)/page.tsx'),
  '/connections/[id]': () => import('./(desk)/connections/[id]/(connection)/page.tsx'),
  '/connections/[id]/answers': () => import('./(desk)/connections/[id]/answers/page.tsx'),
  '/connections/[id]/coverage': () => import('./(desk)/connections/[id]/coverage/page.tsx'),
  '/connections/[id]/drift': () => import('./(desk)/connections/[id]/drift/page.tsx'),
  '/connections/[id]/loss': () => import('./(desk)/connections/[id]/loss/page.tsx'),
  '/connections/[id]/scim': () => import('./(desk)/connections/[id]/scim/page.tsx'),
  '/groups': () => import('./(desk)/(lists)/groups/page.tsx'),
  '/invite': () => import('./invite/page.tsx'),
  '/invoices': () => import('./(desk)/(lists)/invoices/page.tsx'),
  '/invoices/[connection]/[serial]': () => import('./(desk)/invoices/[connection]/[serial]/page.tsx'),
  '/lines': () => import('./(desk)/(lists)/lines/page.tsx'),
  '/people': () => import('./(desk)/people/page.tsx'),
  '/rejected': () => import('./(desk)/rejected/page.tsx'),
  '/settings': () => import('./(desk)/settings/page.tsx'),
  '/sign-in': () => import('./sign-in/page.tsx'),
  '/sign-in/forgotten': () => import('./sign-in/forgotten/page.tsx'),
  '/sign-in/new-password': () => import('./sign-in/new-password/page.tsx'),
  '/sign-in/second-step': () => import('./sign-in/second-step/page.tsx'),
} satisfies { [Path in AppRoutes]: () => Promise<PageModule<Path>> }
