import { Amount } from '#components/figures/amount.tsx'
import { toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import { VerdictMark } from '#components/verdict/verdict-text.tsx'
import type { RejectedLine } from '#lib/ledger/model.ts'
import { parseDay } from '#lib/reconcile/day.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { parseOrNull } from '#lib/reconcile/json/parse.ts'
import { isJsonObject } from '#lib/reconcile/json/value.ts'
import { sumDecimals } from '#lib/reconcile/money.ts'
import { RejectedRecord } from './rejected-record.client.tsx'
import { describeRejection, REJECTION_KINDS, type RejectionKind } from './rejection-words.ts'

const NOUNS: Record<RejectedLine['list'], string> = { lines: 'Line', invoices: 'Invoice', profiles: 'Profile' }

type ListProps = { records: RejectedLine[]; now: number }

/** What the records state, by currency: in no total of lines until they are imported. */
export function RejectedTotals({ records }: { records: RejectedLine[] }) {
  const currencies = [...new Set(records.map(({ statedCurrency }) => statedCurrency))].sort(byCurrency)
  return (
    <dl className="strip">
      <div className="strip-all">
        <dt>Stated totals of</dt>
        <dd className="strip-words">{plural(records.length, 'record')}</dd>
      </div>
      {currencies.map((currency) => {
        const amounts = records.flatMap(({ statedCurrency, statedTotal }) =>
          statedCurrency === currency && statedTotal !== null ? [statedTotal] : [],
        )
        const count = records.filter(({ statedCurrency }) => statedCurrency === currency).length
        return (
          <div key={currency ?? ''} className="strip-total">
            <dt className="strip-scope">
              {currency ?? 'No amount can be read'} · {plural(count, 'record')}
            </dt>
            <dd className="strip-amount">
              {currency === null || amounts.length === 0 ? (
                <span className="text-ink3">not known</span>
              ) : (
                <Amount amount={sumDecimals(amounts)} currency={currency} />
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The records by what is wrong with them, each with its amount, its invoice and the likely fix. */
export function RejectedList({ records, now }: ListProps) {
  const described = records.map((record) => ({ record, why: describeRejection(record) }))
  const kinds = (Object.keys(REJECTION_KINDS) as RejectionKind[]).filter((kind) =>
    described.some(({ why }) => why.kind === kind),
  )
  return (
    <div className="list-body min-h-0 flex-1 overflow-y-auto max-md:overflow-visible print:overflow-visible">
      <div aria-hidden className="rejected-row sticky top-0 z-[2] bg-bg py-1.5 text-[12px] text-ink3 max-md:hidden">
        <span className="col-start-2">Record, invoice</span>
        <span className="text-right">Stated total</span>
        <span>What is wrong</span>
        <span>Likely fix</span>
      </div>
      {kinds.map((kind) => {
        const ofKind = described.filter(({ why }) => why.kind === kind)
        return (
          <section key={kind} aria-labelledby={`kind-${kind}`}>
            <h2 id={`kind-${kind}`} className="border-b bg-panel px-5 py-1.5 font-medium text-[13px] max-md:px-4">
              {REJECTION_KINDS[kind]} <span className="font-normal text-ink3">{ofKind.length}</span>
            </h2>
            <ul>
              {ofKind.map(({ record, why }) => (
                <li key={`${record.connectionId} ${record.list} ${record.rawHash}`}>
                  <Row record={record} why={why} now={now} />
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

type RowProps = { record: RejectedLine; why: ReturnType<typeof describeRejection>; now: number }

function Row({ record, why, now }: RowProps) {
  const { list, recordId, invoiceSerialNumber: serial, statedTotal, statedCurrency } = record
  const { description, day } = readFacts(record.raw)
  const name = `${NOUNS[list]} ${recordId ?? 'without a readable id'}`
  return (
    <article aria-label={name} className="rejected-row">
      <VerdictMark state="not_imported" />
      <div className="min-w-0">
        <h3 className="font-medium text-[13px] [overflow-wrap:anywhere]">
          <bdi>{description ?? name}</bdi>
        </h3>
        <p className="text-[12px] text-ink2 [overflow-wrap:anywhere]">
          {serial !== null && record.hasInvoice && (
            <Link href={toInvoiceAddress(record.connectionId, serial)} className="text-accent hover:underline">
              <bdi>{serial}</bdi>
            </Link>
          )}
          {serial !== null && !record.hasInvoice && <bdi>{serial}</bdi>}
          {serial !== null && ' · '}
          {day !== null && `${formatDay(day)} · `}
          <bdi>{record.connectionName ?? 'New account'}</bdi>, seen <RelativeTime at={record.lastSeenAt} now={now} />
        </p>
      </div>
      <p className="text-right font-medium tabular-nums">
        {statedTotal !== null && statedCurrency !== null ? (
          <Amount amount={statedTotal} currency={statedCurrency} withCode />
        ) : (
          <span className="font-normal text-ink3">not known</span>
        )}
      </p>
      <p className="[overflow-wrap:anywhere]">
        <bdi>{why.wrong}</bdi>
      </p>
      <p className="text-ink2 [overflow-wrap:anywhere]">{why.fix ?? 'none known; ask the platform'}</p>
      <div className="col-start-2 col-end-[-1] min-w-0">
        <RejectedRecord raw={record.raw} name={name} />
      </div>
    </article>
  )
}

/** What can be read of a record that cannot be read as a whole. */
function readFacts(raw: string) {
  const value = parseOrNull(raw)
  const { description, expense_date: day } = isJsonObject(value) ? value : {}
  return {
    description: typeof description === 'string' && description.trim() !== '' ? description : null,
    day: typeof day === 'string' ? parseDay(day) : null,
  }
}

function byCurrency(a: string | null, b: string | null): number {
  return a === b ? 0 : a === null ? 1 : b === null ? -1 : a < b ? -1 : 1
}
