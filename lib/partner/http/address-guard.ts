/**
 * Addresses that a request to the partner must never reach, whatever a name resolves to
 * (reliability A15).
 */
import { lookup as resolve } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { settings } from '#lib/env.ts'
import { isLoopbackAddress, toAddressUse } from '#lib/ip-address.ts'

/**
 * Whether the partner cannot have this address (as text; a name is not judged): link-local,
 * metadata and unspecified never, and in production no special-purpose one, such as a private one,
 * unless the operator allows it.
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const use = toAddressUse(address)
  return use === 'never' || (use === 'special' && !settings().mayPartnerBePrivate)
}

/** Whether an address (as text, not a name) is not on the public internet. */
export function isInnerAddress(address: string): boolean {
  return isIP(address) !== 0 && toAddressUse(address) !== 'public'
}

/** The error code of a refused address. */
export const FORBIDDEN_ADDRESS = 'ERR_FORBIDDEN_ADDRESS'

/**
 * Resolves a name as Node does, once for each connection, which is then made to these addresses and
 * no others: a name server that answers differently the next time changes nothing. Refuses the name
 * if one of its addresses is forbidden, or is this machine under another name than localhost.
 */
export const guardedLookup: LookupFunction = lookupRefusing((hostname, address) => {
  const isLocalName = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isForbiddenAddress(address) || (!isLocalName && isLoopbackAddress(address))
})

/** Resolves a name, and refuses it if one of its addresses is not on the public internet. */
export const publicLookup: LookupFunction = lookupRefusing((_, address) => isInnerAddress(address))

function lookupRefusing(isRefused: (hostname: string, address: string) => boolean): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0)
      const refused = addresses.find(({ address }) => isRefused(hostname, address))
      const [first] = addresses
      if (refused || first === undefined) {
        const failure = Object.assign(new Error(`${hostname} resolves to an address that is not the partner's`), {
          code: FORBIDDEN_ADDRESS,
        })
        return callback(failure, '', 0)
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
}
