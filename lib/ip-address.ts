/** What an IP address is for, in any of its spellings. Pure. */
import { BlockList, isIP } from 'node:net'

/**
 * Special-purpose IPv4 addresses (IANA's registry after RFC 6890, with multicast, RFC 5771):
 * this machine, private networks, carriers' NAT, documentation, benchmarks, reserved.
 */
const SPECIAL_IPV4 = toBlockList([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
])

/** The only IPv6 addresses that are given out for use everywhere (RFC 4291, 2.4). */
const GLOBAL_IPV6 = toBlockList([['2000::', 3]])

/** What is special inside these: Teredo and other protocols, documentation, 6to4, AS112. */
const SPECIAL_IPV6 = toBlockList([
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
])

/**
 * Link-local (RFC 3927 and RFC 4291, most clouds' metadata among it), unspecified, and metadata
 * services elsewhere: they may hand out this machine's own credentials.
 */
const NEVER = toBlockList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
])

const LOOPBACK = toBlockList([
  ['127.0.0.0', 8],
  ['::1', 128],
])

/** `never`: no partner has it. `special`: reachable from here or from nowhere only. */
type Use = 'public' | 'special' | 'never'

/** What an address is for. Those that carry an IPv4 address are judged by that too. */
export function toAddressUse(address: string): Use {
  if (isIP(address) !== 6) return toIpv4Use(address)
  const groups = toGroups(address)
  const own = toIpv6Use(toPlainIpv6(groups))
  const { inner, isTheSame } = findIpv4(groups)
  if (own === 'never' || inner === null) return own
  const carried = toIpv4Use(inner)
  return isTheSame || carried === 'never' ? carried : 'special'
}

/** Whether an address is this machine itself (RFC 1122, 3.2.1.3; RFC 4291, 2.5.3). */
export function isLoopbackAddress(address: string): boolean {
  if (isIP(address) !== 6) return isIP(address) === 4 && LOOPBACK.check(address, 'ipv4')
  const groups = toGroups(address)
  const { inner } = findIpv4(groups)
  return LOOPBACK.check(toPlainIpv6(groups), 'ipv6') || (inner !== null && LOOPBACK.check(inner, 'ipv4'))
}

function toIpv4Use(address: string): Use {
  if (NEVER.check(address, 'ipv4')) return 'never'
  return SPECIAL_IPV4.check(address, 'ipv4') ? 'special' : 'public'
}

function toIpv6Use(address: string): Use {
  if (NEVER.check(address, 'ipv6')) return 'never'
  return GLOBAL_IPV6.check(address, 'ipv6') && !SPECIAL_IPV6.check(address, 'ipv6') ? 'public' : 'special'
}

/**
 * The IPv4 address inside an IPv6 one. `isTheSame`: it is another way of writing that address
 * (mapped: RFC 4291, 2.5.5.2), or the one way to it where there is no IPv4 (NAT64: RFC 6052).
 */
function findIpv4(groups: number[]): { inner: string | null; isTheSame: boolean } {
  const start = toPlainIpv6(groups.slice(0, 6))
  if (start === '0:0:0:0:0:ffff' || start === '64:ff9b:0:0:0:0') return { inner: toIpv4(groups, 6), isTheSame: true }
  if (groups[0] === 0x2002) return { inner: toIpv4(groups, 1), isTheSame: false } // 6to4: RFC 3056
  // outdated forms, and a network's own NAT64 (RFC 4291, 2.5.5.1; RFC 2765, 2.1; RFC 8215)
  const isCarrier = /^(0:0:0:0:0:0|0:0:0:0:ffff:0|64:ff9b:1:.*)$/.test(start)
  const isLoopback = start === '0:0:0:0:0:0' && groups[6] === 0 && groups[7] === 1
  return { inner: isCarrier && !isLoopback ? toIpv4(groups, 6) : null, isTheSame: false }
}

/** Two groups as an IPv4 address, from the `at`th one. */
export function toIpv4(groups: number[], at: number): string {
  const [high = 0, low = 0] = groups.slice(at)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

/** An IPv6 address without its zone (RFC 4007), which block lists do not read. */
function toPlainIpv6(groups: number[]): string {
  return groups.map((group) => group.toString(16)).join(':')
}

/** The eight groups of an IPv6 address. */
export function toGroups(address: string): number[] {
  // the URL parser normalizes all other notations; a zone is not part of the address
  const shortest = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [head = [], tail] = shortest.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: tail === undefined ? 0 : 8 - head.length - tail.length }, () => '0')
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16))
}

function toBlockList(subnets: [address: string, bits: number][]): BlockList {
  const list = new BlockList()
  for (const [address, bits] of subnets) list.addSubnet(address, bits, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}
