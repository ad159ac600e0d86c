import type { Role } from '../permissions.ts'

/** Who uses single sign-on: nobody, whoever wants to, everybody but break-glass admins. */
export const SSO_MODES = ['off', 'optional', 'enforced'] as const
export type SsoMode = (typeof SSO_MODES)[number]

/** How the client identifies itself at the token endpoint (OpenID Connect Core, 9). */
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const
export type AuthMethod = (typeof AUTH_METHODS)[number]

/** Where in the claims the role stands, and which values mean which role. */
export type RoleMapping = { roleClaim: string; values: Record<Role, string[]> }

/** An organization's identity provider, without the secret. */
export type SsoProvider = RoleMapping & {
  issuer: string
  clientId: string
  authMethod: AuthMethod
  /** Domains of email addresses whose people it signs in, in lower case. */
  domains: string[]
}

/** This program as the provider knows it; `secret` is null for a public client. */
export type SsoClient = SsoProvider & { mode: SsoMode; secret: string | null }

/** The claims of a person, whose signature and freshness were checked. */
export type Claims = Record<string, unknown>
