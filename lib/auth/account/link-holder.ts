import { toClientNetwork } from '#lib/http/client-address.ts'
import { toThrottleHash, type Who } from '../limits/sign-in-throttle.ts'

/**
 * Who uses a link that sets a password, as attempts are counted: who guesses at links, or goes on
 * choosing passwords that are refused, waits. In counts apart from those of signing in.
 */
export function toLinkHolder(request: Request, secret: string): Who {
  const network = toClientNetwork(request.headers)
  return {
    account: toThrottleHash('account', `opened ${secret}`),
    network: toThrottleHash('network', `opened links ${network}`),
    browser: null,
  }
}
