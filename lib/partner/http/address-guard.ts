/**
 * Addresses that a request to the partner must never reach, whatever a name resolves to
 * (reliability A15).
 */
import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/**
 * Link-local (including cloud metadata; RFC 3927 and RFC 4291), unspecified, and other metadata
 * addresses.
 */
const NEVER = toBlockList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
])
const LOOPBACK = toBlockList([
  ['127.0.0.0', 8],
  ['::1', 128],
])
/** Networks that only an organization's own machines reach (RFC 1918, 6598 and 4193). */
const PRIVATE = toBlockList([
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
])

function toBlockList(subnets: [address: string, bits: number][]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

function isIn(list: BlockList, address: string): boolean {
  // an IPv4 address written as IPv6 is the same place
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

let lastJudged = { address: '', isForbidden: false }

/**
 * Whether no partner can have this address (as text, not a name): link-local, metadata,
 * unspecified.
 */
export function isForbiddenAddress(address: string): boolean {
  // successive calls mostly go to one host
  if (address !== lastJudged.address) lastJudged = { address, isForbidden: isIP(address) !== 0 && isIn(NEVER, address) }
  return lastJudged.isForbidden
}

/** Whether an address (as text, not a name) is not on the public internet. */
export function isInnerAddress(address: string): boolean {
  return isIP(address) !== 0 && [NEVER, LOOPBACK, PRIVATE].some((list) => isIn(list, address))
}

/** The error code of a refused address. */
export const FORBIDDEN_ADDRESS = 'ERR_FORBIDDEN_ADDRESS'

/**
 * Resolves a name as Node does. Refuses it if one of its addresses is forbidden, or is this machine
 * under another name than localhost: an address checked earlier may have changed since.
 */
export const guardedLookup: LookupFunction = lookupRefusing((hostname, address) => {
  const isLocalName = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isForbiddenAddress(address) || (!isLocalName && isIn(LOOPBACK, address))
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
