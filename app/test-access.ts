/**
 * Who may do what, written by hand for people to read: the least role per route and page. It
 * repeats the declarations on purpose: a weakened role, a new route or a newly open one fails a
 * test until someone changes this list too.
 */
import type { Role } from '#lib/auth/permissions.ts'

/** `directory`: no person, but a company directory with its token. */
export type Least = Role | 'anyone' | 'directory'
type Methods = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export const LEAST_ROLES_OF_ROUTES: Record<string, { [M in Methods]?: Least }> = {
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
  '/api/scim/v2/Groups': { GET: 'directory', POST: 'directory' },
  '/api/scim/v2/Groups/[id]': { GET: 'directory', PUT: 'directory', PATCH: 'directory', DELETE: 'directory' },
  '/api/scim/v2/ResourceTypes': { GET: 'directory' },
  '/api/scim/v2/ResourceTypes/[id]': { GET: 'directory' },
  '/api/scim/v2/Schemas': { GET: 'directory' },
  '/api/scim/v2/Schemas/[id]': { GET: 'directory' },
  '/api/scim/v2/ServiceProviderConfig': { GET: 'directory' },
  '/api/scim/v2/Users': { GET: 'directory', POST: 'directory' },
  '/api/scim/v2/Users/[id]': { GET: 'directory', PUT: 'directory', PATCH: 'directory', DELETE: 'directory' },
  '/api/scim/v2/[...rest]': {
    GET: 'directory',
    POST: 'directory',
    PUT: 'directory',
    PATCH: 'directory',
    DELETE: 'directory',
  },
  '/api/settings/directory/default-role': { POST: 'admin' },
  '/api/settings/directory/group-role': { POST: 'admin' },
  '/api/settings/directory/token': { POST: 'admin' },
  '/api/settings/directory/token/revoke': { POST: 'admin' },
  '/api/sign-in': { POST: 'anyone' },
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
}
