import type { OrganizationId, UserId } from '#lib/ids.ts'
import type { Day } from '#lib/reconcile/day.ts'
import type { StoredFormats } from '#lib/reconcile/own-formats/format-choices.ts'
import type { Role } from './permissions.ts'

/** Who asks, for which organization, in which role; read from the session at each request. */
export type AppSession = {
  organizationId: OrganizationId
  organizationName: string
  /** The month with which the organization's fiscal year begins: 1 to 12. */
  fiscalMonth: number
  userId: UserId
  name: string
  email: string
  role: Role
  /** SHA-256 (hex) of the session's secret: names the session without being usable as it. */
  sessionIdHash: string
  /** The last day before today on which the user was here, in UTC; null if there was none. */
  lastVisit: Day | null
  /** The organization requires a second step, and the person has yet to set one up. */
  mustEnrol: boolean
  /** Whether names that look alike count as one in groups, filters and options. */
  foldsNames: boolean
  /** What the person chose of figures, days and zone. */
  ownFormats: StoredFormats
  /** What the organization has for who chose nothing. */
  organizationFormats: StoredFormats
}

/** A person who signs in, as admins and operators see them; removed ones are nowhere listed. */
export type KnownUser = {
  organizationId: OrganizationId
  organizationName: string
  userId: UserId
  email: string
  name: string
  role: Role
  isDisabled: boolean
  /** Browsers in which the user is signed in. */
  sessions: number
  /** When a kept session was last used; null when none is kept. */
  lastSeenAt: Date | null
  /** The last day on which the user was here, in UTC; null if there was none. */
  seenOn: Day | null
  /** The company's directory decides about role and access. */
  isManaged: boolean
}

/** An invitation whose link nobody has used yet; past `expiresAt` the link no longer works. */
export type Invitation = {
  id: string
  email: string
  /** Empty when the admin gave none. */
  name: string
  role: Role
  invitedByName: string
  createdAt: Date
  expiresAt: Date
  /** Since when its link waits to be mailed; null when none does. */
  mailWantedAt: Date | null
  /** When the mail server took the link that works now; null when it was handed over. */
  mailedAt: Date | null
}
