/** Answers to a company directory (RFC 7644, 3.1 and 3.12). */
import { PRIVATE_HEADERS } from './replies.ts'

/** Words of RFC 7644, table 9, that programs act on. */
export type ScimType = 'uniqueness' | 'invalidFilter' | 'invalidSyntax' | 'invalidPath' | 'invalidValue' | 'noTarget'

/** A resource or list, as `application/scim+json`. */
export function scimReply(value: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(value), {
    status,
    headers: { ...PRIVATE_HEADERS, 'content-type': 'application/scim+json; charset=utf-8', ...headers },
  })
}

/** An error in SCIM's form: `detail` is for people. */
export function scimError(
  status: number,
  detail: string,
  scimType?: string,
  headers: Record<string, string> = {},
): Response {
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  const type = scimType === undefined ? {} : { scimType }
  return scimReply({ schemas, ...type, status: String(status), detail }, status, headers)
}
