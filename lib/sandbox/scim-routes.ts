import { jsonReply, type Reply, type SandboxRequest } from './reply.ts'
import { RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from './scim-documents.ts'

export const SCIM_PATH = '/api/v2/scim'

/** The SCIM discovery endpoints (contract: endpoint 7), or null for another path. */
export function handleScimRoute(request: SandboxRequest, apiKey: string): Reply | null {
  if (!request.path.startsWith(`${SCIM_PATH}/`)) return null
  if (request.headers.authorization !== `apikey ${apiKey}`) return scimError(401, 'A valid API key is required.')
  if (request.method !== 'GET') return scimError(405, 'Method not allowed.')
  if ([...request.query.keys()].length > 0 || request.body !== '')
    return scimError(400, 'Discovery takes no parameters and no body.')
  const name = request.path.slice(SCIM_PATH.length + 1)
  const document = { ServiceProviderConfig: SERVICE_PROVIDER_CONFIG, ResourceTypes: RESOURCE_TYPES, Schemas: SCHEMAS }[
    name
  ]
  return document ? jsonReply(200, document, 'application/scim+json') : scimError(404, 'Not found.')
}

function scimError(status: number, detail: string): Reply {
  // the status is text, as in RFC 7644; some servers send a number
  const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail }
  return jsonReply(status, body, 'application/scim+json')
}
