/** A person as the directory sees them. Pure. */
import { isSeenAddress } from '#lib/auth/one-line.ts'
import type { Role } from '#lib/auth/permissions.ts'
import { Refusal } from './refusal.ts'
import { isObject, type Json } from './spellings.ts'

/** What is stored of a person; `attributes`: name, displayName and emails as they were written. */
export type Person = {
  id: string
  email: string
  name: string
  role: Role
  isDisabled: boolean
  /** False for a person made by hand, of whom the directory has said nothing yet. */
  isManaged: boolean
  externalId: string | null
  active: boolean
  attributes: Json
  version: number
  createdAt: Date
  changedAt: Date
}

/** What a directory may set of a person. */
export type PersonFacts = Pick<Person, 'email' | 'name' | 'externalId' | 'active' | 'attributes'>

/** An address that an account can have; the sign-in page takes no other. */
const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,255}$/
const MAX_NAME_CHARACTERS = 200
const MAX_EXTERNAL_CHARACTERS = 500

/** A person as a resource, before the attributes that a query leaves out are left out. */
export function toUserResource(person: Person): Json {
  const { id, email, externalId, active, attributes, version, createdAt, changedAt } = person
  return {
    id,
    userName: email,
    active,
    ...(externalId === null ? {} : { externalId }),
    ...attributes,
    meta: { created: createdAt, lastModified: changedAt, version: toVersion(version) },
  }
}

/** A weak entity tag (RFC 7644, 3.14). */
export function toVersion(version: number): string {
  return `W/"${version}"`
}

/**
 * The facts of a checked resource. `active` that is left out stays as it was.
 * @throws Refusal for a userName that is no email address, which signs nobody in.
 */
export function toFacts(resource: Json, activeBefore: boolean): PersonFacts {
  const { userName, externalId, active, displayName, name, emails } = resource
  const email = String(userName).trim().toLowerCase()
  if (!EMAIL.test(email) || !isSeenAddress(email))
    throw new Refusal(400, 'userName has to be the email address with which the person signs in.', 'invalidValue')
  if (typeof externalId === 'string' && externalId.length > MAX_EXTERNAL_CHARACTERS)
    throw new Refusal(400, 'externalId is too long.', 'invalidValue')
  return {
    email,
    name: toDisplayName(resource) ?? email,
    externalId: typeof externalId === 'string' ? externalId : null,
    active: typeof active === 'boolean' ? active : activeBefore,
    attributes: Object.fromEntries(
      Object.entries({ displayName, name, emails }).filter(([, value]) => value !== undefined),
    ),
  }
}

/** The name that people of the organization read. */
function toDisplayName({ displayName, name }: Json): string | undefined {
  const { formatted, givenName, familyName } = isObject(name) ? name : {}
  const both = [givenName, familyName].filter((part) => typeof part === 'string').join(' ')
  return [displayName, formatted, both]
    .find((each): each is string => typeof each === 'string' && each.trim() !== '')
    ?.trim()
    .slice(0, MAX_NAME_CHARACTERS)
}
