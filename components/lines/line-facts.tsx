import type { ReactNode } from 'react'
import { toAddress, toInvoiceAddress, toTripAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { Unknown } from '#components/text/upstream-text.tsx'
import type { LineDetail, LineRow } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY, type LineQuery, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { toServicePlace } from '#lib/reconcile/payload/service-place.ts'
import { LINE_FIELDS, type RecordField } from '#lib/reconcile/records.ts'

type PlainFact = { [Name in LineField]: LineFields[Name] extends { label: string } ? Name : never }[LineField]
type LineFields = typeof LINE_FIELDS
type LineField = keyof LineFields

/** Fields shown as they are, each by its own name for people. */
const PLAIN_FACTS = Object.entries<RecordField>(LINE_FIELDS).flatMap(([name, { label }]) =>
  label === undefined ? [] : [[name as PlainFact, label] as const],
)

/** What a line is about, as the platform states it; blank means unknown. */
export function LineFacts({ line }: { line: LineDetail }) {
  const place = toServicePlace(line.rawText)
  return (
    <>
      <Facts title="Line">
        <Subject line={line} />
        <Fact name="Travelers">{line.travelerNames.join(', ')}</Fact>
        {PLAIN_FACTS.map(([name, label]) => (
          <Fact key={name} name={label}>
            {line[name]}
          </Fact>
        ))}
        <Fact name="Vendor">
          {line.vendorName && line.vendorCode
            ? `${line.vendorName} (${line.vendorCode})`
            : (line.vendorName ?? line.vendorCode)}
        </Fact>
        {place && <Fact name={place.name}>{place.text}</Fact>}
        <Fact name="Trip dates">{toDays(line.startDate, line.endDate)}</Fact>
        <Fact name="Policy">
          {line.outOfPolicy === null ? null : line.outOfPolicy ? 'trip booked out of policy' : 'trip booked in policy'}
        </Fact>
        <Fact name="Card">{line.creditCardLast4 && `•••• ${line.creditCardLast4}`}</Fact>
        {line.labels.length > 0 && <Fact name="Labels">{line.labels.join(', ')}</Fact>}
        {line.customFields !== null && line.customFields.length > 0 && (
          <Fact name="Custom fields">{line.customFields.join(', ')}</Fact>
        )}
        {line.includeBreakfast && <Fact name="Breakfast">included</Fact>}
      </Facts>
      <Facts title="Invoice">
        <Fact name="Number">
          <Link
            href={toInvoiceAddress(line.connectionId, line.invoiceSerialNumber)}
            className="text-accent hover:underline"
          >
            <bdi>{line.invoiceSerialNumber}</bdi>
          </Link>
        </Fact>
        <Fact name="Status">{[line.invoiceStatus, line.invoiceMode].filter(Boolean).join(' · ')}</Fact>
        <Fact name="Tax regime">{line.taxRegime}</Fact>
        <Fact name="Due">{line.dueDate && formatDay(line.dueDate)}</Fact>
        <Fact name="Connection">{line.connectionName}</Fact>
      </Facts>
    </>
  )
}

/** What the list's row already says of it. */
export function RowFacts({ line }: { line: LineRow }) {
  return (
    <Facts title="Line">
      <Subject line={line} />
    </Facts>
  )
}

function Subject({ line }: { line: LineRow }) {
  return (
    <>
      <Fact name="Trip">
        {line.tripId === null && line.tripName === null ? null : (
          <LinesLink filters={{ trips: [line.tripId ?? ''] }}>
            {[line.tripName, line.tripId].filter((part) => part !== null).join(' · ')}
          </LinesLink>
        )}
        {line.tripId !== null && (
          <>
            {' '}
            <Link href={toTripAddress(line.tripId)} className="whitespace-nowrap text-accent hover:underline">
              What it cost
            </Link>
          </>
        )}
      </Fact>
      <Fact name="Cost center">
        {line.costCenter && <LinesLink filters={{ costCenters: [line.costCenter] }}>{line.costCenter}</LinesLink>}
      </Fact>
      <Fact name="Vertical">
        {[
          line.relatedVertical,
          line.service && line.service !== line.relatedVertical ? `service ${line.service}` : null,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Fact>
    </>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mt-4 mb-1.5 font-medium text-[12px] text-ink3">{title}</h3>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-2 gap-y-1">{children}</dl>
    </section>
  )
}

function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink3">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">
        {children === null || children === '' ? <Unknown /> : <bdi dir="auto">{children}</bdi>}
      </dd>
    </>
  )
}

function LinesLink({ filters, children }: { filters: Partial<LineQuery>; children: string }) {
  return (
    <Link
      href={toAddress('/lines', writeLineQuery({ ...DEFAULT_LINE_QUERY, ...filters }))}
      className="text-accent hover:underline"
      title="Show all its lines"
    >
      <bdi>{children}</bdi>
    </Link>
  )
}

function toDays(start: LineDetail['startDate'], end: LineDetail['endDate']): string | null {
  if (start === null) return end && `to ${formatDay(end)}`
  return end === null || end === start ? formatDay(start) : `${formatDay(start)} to ${formatDay(end)}`
}
