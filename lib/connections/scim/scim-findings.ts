import { compareScimAnswers } from '#lib/partner/scim/scim-diff.ts'
import type {
  ScimChange,
  ScimEndpoint,
  ScimParsed,
  ScimResourceType,
  ScimSchema,
  ScimServiceConfig,
} from '#lib/partner/scim/scim-model.ts'
import { describeScimProblem, describeScimRemark } from '#lib/partner/scim/scim-problem-text.ts'
import { parseResourceTypes } from '#lib/partner/scim/scim-resource-types.ts'
import { isExtensionSchema, parseSchemas } from '#lib/partner/scim/scim-schemas.ts'
import { parseServiceConfig } from '#lib/partner/scim/scim-service-config.ts'
import type { ScimEndpointState } from './scim-discovery.ts'

/** What the kept answers say; null for an endpoint that was never read. */
export type ScimFindings = {
  config: ScimServiceConfig | null
  types: ScimResourceType[] | null
  /** Schemas that stand by themselves, and those that extend others. */
  core: ScimSchema[] | null
  extensions: ScimSchema[] | null
  /** One per endpoint, in words for people. */
  rows: { state: ScimEndpointState; problemText: string | null; remarks: string[] }[]
  /** Each kept answer that followed another, newest first, with the difference. */
  changes: { endpoint: ScimEndpoint; number: number; receivedAt: string; changes: ScimChange[] }[]
  /** Null when no endpoint was ever asked. */
  lastCheckedAt: string | null
}

/** Parses kept answers anew: what a newer version understands shows in old ones too. Pure. */
export function toScimFindings(endpoints: readonly ScimEndpointState[]): ScimFindings {
  const config = parseLatest(endpoints, 'ServiceProviderConfig', parseServiceConfig)
  const types = parseLatest(endpoints, 'ResourceTypes', parseResourceTypes)
  const schemas = parseLatest(endpoints, 'Schemas', parseSchemas)
  const isExtension = (id: string) => isExtensionSchema(id, types?.ok ? types.value : [])
  const parsed = { ServiceProviderConfig: config, ResourceTypes: types, Schemas: schemas }
  return {
    config: config?.ok ? config.value : null,
    types: types?.ok ? types.value : null,
    core: schemas?.ok ? schemas.value.filter(({ id }) => !isExtension(id)) : null,
    extensions: schemas?.ok ? schemas.value.filter(({ id }) => isExtension(id)) : null,
    rows: endpoints.map((state) => {
      const answer = parsed[state.endpoint]
      return {
        state,
        problemText: state.problem === null ? null : describeScimProblem(state.problem),
        remarks: answer?.ok ? answer.remarks.map(describeScimRemark) : [],
      }
    }),
    changes: endpoints.flatMap(listChanges).sort((a, b) => b.receivedAt.localeCompare(a.receivedAt)),
    lastCheckedAt:
      endpoints
        .map((endpoint) => endpoint.lastCheckedAt)
        .sort()
        .at(-1) ?? null,
  }
}

function parseLatest<T>(
  endpoints: readonly ScimEndpointState[],
  endpoint: ScimEndpoint,
  parse: (text: string) => ScimParsed<T>,
): ScimParsed<T> | null {
  const latest = endpoints.find((state) => state.endpoint === endpoint)?.answers[0]
  return latest === undefined ? null : parse(latest.raw)
}

function listChanges({ endpoint, answers }: ScimEndpointState): ScimFindings['changes'] {
  return answers.flatMap((answer, index) => {
    const before = answers[index + 1]
    if (before === undefined) return []
    const { number, receivedAt } = answer
    return [{ endpoint, number, receivedAt, changes: compareScimAnswers(endpoint, before.raw, answer.raw) }]
  })
}
