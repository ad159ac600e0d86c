import { readRoute } from '#lib/auth/doors/api-route.ts'
import { listPartnerHosts } from '#lib/sync/platform/partner-host.ts'

/** The platform's hosts as the circuit breaker sees them: `{hosts: HostState[]}`. */
export const GET = readRoute({ may: 'read' }, async () => ({ hosts: await listPartnerHosts() }))
