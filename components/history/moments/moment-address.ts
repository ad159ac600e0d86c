import { toAddress } from '#components/query/address.ts'
import { type MomentQuery, writeMomentQuery } from '#lib/ledger/query/moments/moment-query.ts'
import { BRIDGE_PATH } from './bridge-links.ts'

export function toMomentAddress(query: MomentQuery): string {
  return toAddress(BRIDGE_PATH, writeMomentQuery(query))
}
