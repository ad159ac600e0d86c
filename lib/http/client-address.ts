import { isIP } from 'node:net'
import { type Settings, settings } from '#lib/env.ts'
import { toGroups, toIpv4 } from '#lib/ip-address.ts'

/** Set by lib/cli/run/request-door.mjs before the web server: the socket address's header. */
const holder = globalThis as { tieoutDoor?: { addressHeader: string } }

/** The one network of all requests whose origin is unknown. */
const UNKNOWN = 'unknown'

/**
 * The network a request is counted under: the IPv4 address, or the first 64 bits of the IPv6
 * address, since one client commonly has all the rest (RFC 6177). It comes from the socket, or from
 * the configured proxy (`CLIENT_ADDRESS_HEADER`). No other header is trusted.
 */
export function toClientNetwork(headers: Pick<Headers, 'get'>): string {
  const socketAddress = holder.tieoutDoor === undefined ? null : headers.get(holder.tieoutDoor.addressHeader)
  return toNetwork(readProxied(headers, settings().clientAddress) ?? socketAddress ?? '') ?? UNKNOWN
}

/**
 * The address seen by our outermost proxy. Each proxy appends who connected to it: with `hops`
 * proxies of ours it is the `hops`th entry from the end. The client may have sent what stands
 * before. Null when missing.
 */
function readProxied(headers: Pick<Headers, 'get'>, proxy: Settings['clientAddress']): string | null {
  if (proxy === null) return null
  const entry = headers.get(proxy.header)?.split(',').at(-proxy.hops)
  const address = entry === undefined ? '' : withoutPort(entry.trim())
  return isIP(address) === 0 ? null : address
}

/** Some proxies add the port: `203.0.113.7:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry
}

function toNetwork(address: string): string | null {
  const version = isIP(address)
  if (version !== 6) return version === 4 ? address : null
  const groups = toGroups(address)
  // an IPv4 address written as IPv6 is the same place (RFC 4291, 2.5.5.2)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) return toIpv4(groups, 6)
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
