/**
 * Who may do what, written by hand for people to read: the least role per route and page. It
 * repeats the declarations on purpose: a weakened role, a new route or a newly open one fails a
 * test until someone changes this list too.
 */
import type { Role } from '#lib/auth/permissions.ts'

export type Least = Role | 'anyone'

export const LEAST_ROLES_OF_ROUTES: Record<string, { GET?: Least; POST?: Least }> = {
  '/api/account/passkeys': { POST: 'viewer' },
  '/api/account/passkeys/options': { POST: 'viewer' },
  '/api/account/passkeys/remove': { POST: 'viewer' },
  '/api/account/second-step/begin': { POST: 'viewer' },
  '/api/account/second-step/codes': { POST: 'viewer' },
  '/api/account/second-step/codes/kept': { POST: 'viewer' },
  '/api/account/second-step/confirm': { POST: 'viewer' },
  '/api/account/second-step/disable': { POST: 'viewer' },
  '/api/account/second-step/enable': { POST: 'viewer' },
  '/api/auth/[...nextauth]': { GET: 'anyone' },
  '/api/checks': { POST: 'admin' },
  '/api/checks/fiscal-year': { POST: 'admin' },
  '/api/checks/habit': { POST: 'finance' },
  '/api/connections': { GET: 'viewer' },
  '/api/connections/[id]/disconnect': { POST: 'admin' },
  '/api/connections/[id]/other-account': { POST: 'admin' },
  '/api/connections/[id]/scim': { GET: 'viewer' },
  '/api/connections/[id]/scim/check': { POST: 'admin' },
  '/api/connections/[id]/scim/key': { POST: 'admin' },
  '/api/connections/[id]/scim/key/remove': { POST: 'admin' },
  '/api/connections/[id]/sync': { GET: 'viewer', POST: 'finance' },
  '/api/connections/[id]/sync/cancel': { POST: 'finance' },
  '/api/connections/[id]/sync/evidence': { GET: 'admin' },
  '/api/connections/[id]/sync/loss': { GET: 'viewer', POST: 'admin' },
  '/api/connections/[id]/sync/pause': { POST: 'finance' },
  '/api/connections/[id]/sync/reparse': { POST: 'finance' },
  '/api/connections/[id]/sync/resume': { POST: 'finance' },
  '/api/connections/[id]/sync/schedule': { POST: 'admin' },
  '/api/connections/[id]/sync/verify': { POST: 'finance' },
  '/api/connections/connect': { POST: 'admin' },
  '/api/connections/hosts': { GET: 'viewer' },
  '/api/export/[list]': { GET: 'viewer' },
  '/api/groups': { GET: 'viewer' },
  '/api/health': { GET: 'anyone' },
  '/api/invoices/document': { POST: 'viewer' },
  '/api/invoices/rows': { GET: 'viewer' },
  '/api/lines': { GET: 'viewer' },
  '/api/lines/detail': { GET: 'viewer' },
  '/api/lines/rows': { GET: 'viewer' },
  '/api/people/second-step/reset': { POST: 'admin' },
  '/api/settings/second-step': { POST: 'admin' },
  '/api/sign-in': { POST: 'anyone' },
  '/api/sign-in/passkey': { POST: 'anyone' },
  '/api/sign-in/passkey/options': { POST: 'anyone' },
  '/api/sign-in/second-step': { POST: 'anyone' },
  '/api/sign-out': { POST: 'anyone' },
  '/api/summaries': { GET: 'viewer' },
  '/api/trips': { GET: 'viewer' },
  '/api/webhooks/invoices': { POST: 'anyone' },
}

/** The one route that changes something for other origins: its body is signed. */
export const OPEN_TO_OTHER_ORIGINS = ['/api/webhooks/invoices']

export const LEAST_ROLES_OF_PAGES: Record<string, Least> = {
  '/': 'viewer',
  '/account': 'viewer',
  '/audit': 'admin',
  '/changes': 'viewer',
  '/checks': 'viewer',
  '/connect': 'anyone',
  '/connections': 'viewer',
  '/connections/[id]': 'viewer',
  '/connections/[id]/answers': 'admin',
  '/connections/[id]/coverage': 'viewer',
  '/connections/[id]/drift': 'admin',
  '/connections/[id]/scim': 'viewer',
  '/groups': 'viewer',
  '/invoices': 'viewer',
  '/invoices/[connection]/[serial]': 'viewer',
  '/lines': 'viewer',
  '/people': 'viewer',
  '/rejected': 'viewer',
  '/settings': 'admin',
  '/sign-in': 'anyone',
  '/sign-in/second-step': 'anyone',
}
