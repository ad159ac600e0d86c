/**
 * What each role may do: the one table that routes, pages, the page of people and the tests read
 * (docs/decisions/028-permissions.md). Pure, so that the browser may have it.
 */

/** From least to most: a role may do what the roles before it may. */
export const ROLES = ['viewer', 'finance', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** As people read them. */
export const ROLE_LABELS: Record<Role, string> = { viewer: 'Viewer', finance: 'Finance', admin: 'Admin' }

/** What somebody may do: the least role that may, and words for it that follow “may”. */
export const PERMISSIONS = {
  read: { least: 'viewer', words: 'see every figure, list and page of the desk' },
  export: { least: 'viewer', words: 'download lists and original documents' },
  'own-account': { least: 'viewer', words: 'change the own name, password, second step and sessions' },
  'keep-views': { least: 'viewer', words: 'keep views of lists, and open lists with them' },
  'share-views': { least: 'finance', words: 'save, name and delete views for everybody' },
  sync: { least: 'finance', words: 'start, pause and end syncs, and try again what was not imported' },
  'decide-habits': { least: 'finance', words: 'accept or decline an issuer’s way of rounding' },
  'tune-checks': { least: 'admin', words: 'set checks, tolerances and the fiscal year' },
  'connect-accounts': { least: 'admin', words: 'connect, name and disconnect accounts, their keys and schedules' },
  'decide-losses': { least: 'admin', words: 'say whether lines that are gone upstream are gone' },
  'see-evidence': { least: 'admin', words: 'see the platform’s failed answers and changed interface' },
  'manage-people': { least: 'admin', words: 'invite, change and remove people, and end their sessions' },
  'manage-organization': {
    least: 'admin',
    words: 'name the organization, and set sign-in, single sign-on and directory',
  },
  'see-audit': { least: 'admin', words: 'see and download who did what and when' },
} as const satisfies Record<string, { least: Role; words: string }>

export type Permission = keyof typeof PERMISSIONS

/** True when a person of this role may do it. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(PERMISSIONS[permission].least)
}
