/**
 * What each role may do: the one table that routes, pages, the page of people and the tests read
 * (docs/decisions/028-permissions.md). Pure, so that the browser may have it.
 */

/**
 * As lists show them. Of the roles that a directory or an identity provider gives a person at once,
 * the last one here counts: a role stands behind those that it holds.
 */
export const ROLES = ['viewer', 'auditor', 'finance', 'approver', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** As people read them. */
export const ROLE_LABELS: Record<Role, string> = {
  viewer: 'Viewer',
  auditor: 'Auditor',
  finance: 'Finance',
  approver: 'Approver',
  admin: 'Admin',
}

/**
 * The roles of which each may do everything. They are no line from least to most: an auditor sees
 * what an approver does not, and decides nothing.
 */
const HOLDS: Record<Role, readonly Role[]> = {
  viewer: ['viewer'],
  auditor: ['viewer', 'auditor'],
  finance: ['viewer', 'finance'],
  approver: ['viewer', 'finance', 'approver'],
  admin: ROLES,
}

/** What somebody may do: the least role that may, and words for it that follow “may”. */
export const PERMISSIONS = {
  read: { least: 'viewer', words: 'see every figure, list and page of the desk' },
  export: { least: 'viewer', words: 'download lists and original documents' },
  'share-packs': { least: 'finance', words: 'give somebody outside a link to an evidence pack, and withdraw it' },
  'own-account': { least: 'viewer', words: 'change the own name, password, second step and sessions' },
  'keep-views': { least: 'viewer', words: 'keep views of lists, and open lists with them' },
  'see-evidence': { least: 'auditor', words: 'see the platform’s failed answers and changed interface' },
  'see-audit': { least: 'auditor', words: 'see and download who did what and when' },
  'share-views': { least: 'finance', words: 'save, name and delete views for everybody' },
  decide: { least: 'finance', words: 'accept, dispute and reopen lines, and take decisions back' },
  sync: { least: 'finance', words: 'start, pause and end syncs, and try again what was not imported' },
  comment: { least: 'finance', words: 'write comments, name people in them and attach files' },
  assign: { least: 'finance', words: 'give lines and invoices to a person, and take them back' },
  'decide-habits': { least: 'finance', words: 'accept or decline an issuer’s way of rounding' },
  prepare: { least: 'finance', words: 'prepare invoices and months for approval, and take that back' },
  'keep-rules': { least: 'finance', words: 'make certification rules, try them, and turn them on and off' },
  approve: { least: 'approver', words: 'approve what somebody else has prepared' },
  lock: { least: 'approver', words: 'lock an approved month, and let one person change it for a time' },
  reopen: { least: 'approver', words: 'reopen a locked month' },
  'keep-reasons': { least: 'admin', words: 'keep the reasons for accepting and disputing lines' },
  'tune-checks': { least: 'admin', words: 'set checks, tolerances and the fiscal year' },
  'connect-accounts': { least: 'admin', words: 'connect, name and disconnect accounts, their keys and schedules' },
  'let-rules-approve': { least: 'admin', words: 'let certification rules approve' },
  'decide-losses': { least: 'admin', words: 'say whether lines that are gone upstream are gone' },
  'manage-people': { least: 'admin', words: 'invite, change and remove people, and end their sessions' },
  'manage-organization': {
    least: 'admin',
    words: 'name the organization, and set sign-in, single sign-on and directory',
  },
} as const satisfies Record<string, { least: Role; words: string }>

export type Permission = keyof typeof PERMISSIONS

/** True when a person of this role may do it. */
export function isAllowed(role: Role, permission: Permission): boolean {
  return HOLDS[role].includes(PERMISSIONS[permission].least)
}
