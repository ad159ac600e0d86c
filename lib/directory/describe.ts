/** What this server can do, as directories ask for it (RFC 7644, 4). */
import type { DirectoryCall } from '#lib/auth/doors/api-route.ts'
import { scimError, scimReply } from '#lib/http/scim-replies.ts'
import { toDirectoryAddress } from './answer.ts'
import { GROUP_SCHEMA, USER_SCHEMA } from './normalize-resource.ts'
import { describeSchemas, writeList } from './scim-schemas.ts'
import type { Json } from './spellings.ts'

/** GET /ServiceProviderConfig. */
export async function describeService(): Promise<Response> {
  const no = { supported: false }
  return scimReply({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: 200 },
    changePassword: no,
    sort: no,
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Bearer token',
        description: 'A token that an admin of the organization makes on the page Settings.',
        specUri: 'https://www.rfc-editor.org/info/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${toDirectoryAddress()}/ServiceProviderConfig` },
  })
}

/** GET /Schemas, and one of them by its urn. */
export async function describeSchema({ id }: DirectoryCall): Promise<Response> {
  return oneOf(describeSchemas(`${toDirectoryAddress()}/Schemas`), id)
}

/** GET /ResourceTypes, and one of them by its name. */
export async function describeResourceType({ id }: DirectoryCall): Promise<Response> {
  const toType = (name: string, schema: string) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint: `/${name}s`,
    schema,
    meta: { resourceType: 'ResourceType', location: `${toDirectoryAddress()}/ResourceTypes/${name}` },
  })
  return oneOf([toType('User', USER_SCHEMA), toType('Group', GROUP_SCHEMA)], id)
}

function oneOf(all: Json[], id: string): Response {
  if (id === '') return scimReply(writeList(all, all.length, 1))
  const found = all.find((each) => each.id === id)
  return found === undefined ? scimError(404, 'There is nothing here.') : scimReply(found)
}

/** Bulk operations and `/Me` are not offered (RFC 7644, 3.7 and 3.11); other paths are nothing. */
export async function refuseOther({ request }: DirectoryCall): Promise<Response> {
  const { pathname } = new URL(request.url)
  return /\/(Bulk|Me)(\/|$)/.test(pathname)
    ? scimError(501, 'This server does not offer bulk requests or /Me.')
    : scimError(404, 'There is nothing here.')
}
