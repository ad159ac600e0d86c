import { Amount } from '#components/figures/amount.tsx'
import { Link } from '#components/query/link.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { LineComparison } from '#lib/ledger/model.ts'
import { toLineAddress } from './line-address.ts'

type ComparisonTextProps = { comparison: LineComparison; connectionId: ConnectionId }

/** What a line is beside another one, in a few words with its amount, and the way to the other. */
export function ComparisonText({ comparison, connectionId }: ComparisonTextProps) {
  const { code, currency, amount, other } = comparison
  const money = <Amount amount={amount} currency={currency} withCode />
  if (other === null) return <>Refund of {money} has no original payment</>
  const link = (
    <Link
      href={toLineAddress(connectionId, other.invoiceSerialNumber, other.id)}
      className="underline underline-offset-2"
    >
      <bdi>{other.invoiceSerialNumber}</bdi>
    </Link>
  )
  return code === 'duplicate_line' ? (
    <>
      Also on {link}: {money}
    </>
  ) : (
    <>
      Refunds {money} more than was paid: first paid on {link}
    </>
  )
}
