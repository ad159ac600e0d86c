/** The three discovery endpoints (contract, endpoint 7), in the order they are asked. */
export const SCIM_ENDPOINTS = ['ServiceProviderConfig', 'ResourceTypes', 'Schemas'] as const
export type ScimEndpoint = (typeof SCIM_ENDPOINTS)[number]

/** Null: not stated by the platform. */
export type ScimOperation = {
  name: 'patch' | 'bulk' | 'filter' | 'changePassword' | 'sort' | 'etag'
  isSupported: boolean | null
  /** Its other members, such as `maxResults`; values as written. */
  limits: { name: string; value: string }[]
}

export type ScimAuthenticationScheme = {
  type: string | null
  name: string | null
  description: string | null
  documentationUri: string | null
  isPrimary: boolean
}

export type ScimServiceConfig = {
  documentationUri: string | null
  operations: ScimOperation[]
  authenticationSchemes: ScimAuthenticationScheme[]
  /** Members that RFC 7643 does not name, as written. */
  others: { name: string; value: string }[]
}

export type ScimResourceType = {
  name: string | null
  endpoint: string | null
  description: string | null
  schema: string | null
  extensions: { schema: string; isRequired: boolean | null }[]
}

export type ScimAttribute = {
  name: string
  type: string | null
  isMultiValued: boolean | null
  isRequired: boolean | null
  isCaseExact: boolean | null
  mutability: string | null
  returned: string | null
  uniqueness: string | null
  description: string | null
  canonicalValues: string[]
  referenceTypes: string[]
  subAttributes: ScimAttribute[]
}

export type ScimSchema = {
  /** Its URN. */
  id: string
  name: string | null
  description: string | null
  attributes: ScimAttribute[]
}

/** Something people should know about an answer that could be read. */
export type ScimRemark =
  | { code: 'incomplete'; stated: string; received: number }
  | { code: 'unreadable_entries'; count: number }
  | { code: 'repeated_entries'; count: number }

/** What an answer says; `reason` is one plain sentence. */
export type ScimParsed<T> = { ok: true; value: T; remarks: ScimRemark[] } | { ok: false; reason: string }

/**
 * One difference between two answers of an endpoint. `member` is set only when a member changed.
 */
export type ScimChange = {
  kind: 'added' | 'removed' | 'changed'
  /**
   * What changed: `schema`, `attribute`, `resource type`, `extension`, `operation`, `authentication
   * scheme`, `setting`.
   */
  what: string
  /** Names from the outside in: a schema's URN, an attribute, a sub-attribute. */
  path: string[]
  member: string | null
  before: string | null
  after: string | null
}

/** Why an endpoint could not be read. */
export type ScimProblemCode =
  | 'wrong_key'
  | 'forbidden'
  | 'not_found'
  | 'throttled'
  | 'unavailable'
  | 'refused_request'
  | 'redirect'
  | 'not_json'
  | 'not_scim'
  | 'too_large'
  | 'timeout'
  | 'unreachable'
  | 'insecure'

export type ScimProblem = {
  code: ScimProblemCode
  /** Null if no answer came. */
  httpStatus: number | null
  /**
   * The platform's own words, one line, secrets masked; or where the answer stops being readable.
   */
  detail: string | null
}
