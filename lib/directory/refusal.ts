import type { ScimType } from '#lib/http/scim-replies.ts'

/** What a directory asked and does not get; `message` is for the people who run it. */
export class Refusal extends Error {
  readonly status: number
  readonly scimType?: string
  constructor(status: number, message: string, scimType?: ScimType) {
    super(message)
    this.status = status
    this.scimType = scimType
  }
}

/** The change would leave the organization without an admin who can sign in. */
export class LastAdminError extends Refusal {
  readonly email: string
  constructor(email: string) {
    super(403, `${email} is the last admin who can sign in to Tieout. Make somebody else an admin first.`)
    this.email = email
  }
}
