import type { ReactNode } from 'react'
import { Amount } from '#components/figures/amount.tsx'
import { ShortAmount } from '#components/figures/short-amount.tsx'
import { describeRemoval } from '#components/invoices/describe-removal.ts'
import { toLineAddress } from '#components/lines/line-address.ts'
import { toAddress, toInvoiceAddress } from '#components/query/address.ts'
import { Link } from '#components/query/link.client.tsx'
import { describeRun } from '#components/sync/describe-run.ts'
import { plural } from '#components/text/plural.ts'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ConnectionId } from '#lib/ids.ts'
import type { InvoiceChanges } from '#lib/ledger/model.ts'
import { DEFAULT_LINE_QUERY, writeLineQuery } from '#lib/ledger/query/line-query.ts'
import { formatDay } from '#lib/reconcile/format.ts'
import { type ChangeEffect, type ChangeRow, toChangeRows } from './change-rows.ts'
import { FieldChanges } from './field-changes.tsx'
import { FieldValueText, formatFigure } from './field-value.tsx'
import { nameField } from './field-words.ts'

type ChangeGroupProps = { group: InvoiceChanges; withConnection: boolean; now: number }

/** What one run found of one invoice, one row per removed line and changed field. */
export function ChangeGroup({ group, withConnection, now }: ChangeGroupProps) {
  const { rows, inheritedCount, restatedCount } = toChangeRows(group)
  const rest = group.lineCount - group.lines.length + group.removedCount - group.removed.length
  const notes = [
    inheritedCount > 0 && `${plural(inheritedCount, 'line')}: same invoice-level change`,
    restatedCount > 0 && `${plural(restatedCount, 'line')}: the same figures in another notation, no change`,
  ].filter((note) => note !== false)
  const hasNotes = notes.length > 0 || rest > 0
  return (
    <tbody>
      {rows.map((row, at) => (
        <tr key={toKey(row, at)}>
          {at === 0 && (
            <Where group={group} withConnection={withConnection} now={now} rowSpan={rows.length + +hasNotes} />
          )}
          <Cells row={row} group={group} />
        </tr>
      ))}
      {hasNotes && (
        <tr>
          {rows.length === 0 && <Where group={group} withConnection={withConnection} now={now} rowSpan={1} />}
          <td colSpan={4} className="change-note">
            {notes.join(' · ')}
            {rest > 0 && (
              <>
                {notes.length > 0 && ' · '}
                <Link
                  href={toLinesAddress(group.connectionId, group.serialNumber)}
                  className="text-accent hover:underline"
                >
                  {plural(rest, 'further line')} changed
                </Link>
              </>
            )}
          </td>
        </tr>
      )}
    </tbody>
  )
}

function toKey(row: ChangeRow, at: number): string {
  if (row.kind === 'summary') return `summary ${at}`
  if (row.kind === 'removed invoice') return row.kind
  if (row.kind === 'removed') return `removed ${row.line.id}`
  return `${row.line?.lineId ?? ''} ${row.line?.seenAt ?? ''} ${row.field.path} ${at}`
}

function Where({ group, withConnection, now, rowSpan }: ChangeGroupProps & { rowSpan: number }) {
  const { connectionId, serialNumber, profileName, connectionName } = group
  return (
    <th scope="rowgroup" rowSpan={rowSpan}>
      <h2 className="truncate font-medium text-[13px]">
        <Link href={toInvoiceAddress(connectionId, serialNumber)} className="hover:underline">
          <bdi>{serialNumber}</bdi>
        </Link>
      </h2>
      <p className="truncate text-ink2">
        <bdi>{profileName ?? 'Unknown profile'}</bdi>
        {withConnection && connectionName && connectionName !== profileName && (
          <>
            {' · '}
            <bdi>{connectionName}</bdi>
          </>
        )}
      </p>
      <p className="text-[12px] text-ink3">
        <RelativeTime at={group.seenAt} now={now} /> · {describeRun(group)}
      </p>
    </th>
  )
}

function Cells({ row, group }: { row: ChangeRow; group: InvoiceChanges }) {
  const { connectionId, serialNumber } = group
  if (row.kind === 'summary')
    return (
      <td colSpan={4}>
        <details>
          <summary className="text-ink2">
            {row.followsLines ? 'Total and taxes of the invoice follow its lines' : 'Taxes the invoice sums up'}
            {' · '}
            {plural(row.fields.length, 'field')}
          </summary>
          <div className="mt-1 mb-1 pl-4">
            <FieldChanges fields={row.fields} currency={row.currency} />
          </div>
        </details>
      </td>
    )
  if (row.kind === 'removed invoice') {
    const { currency, total, missingSince } = row.invoice
    return (
      <>
        <td>
          <s>Invoice</s> <Note>{describeRemoval(missingSince)}</Note>
        </td>
        <td data-name="Before" className="text-ink2">
          <s>
            <ShortAmount amount={total} currency={currency} />
          </s>
        </td>
        <td data-name="Now" className="text-ink3">
          —
        </td>
        <td data-name="Effect">
          <Note>its lines’ money</Note>
        </td>
      </>
    )
  }
  if (row.kind === 'removed') {
    const { line } = row
    return (
      <>
        <td>
          <Link href={toLineAddress(connectionId, serialNumber, line.id)} className="hover:underline">
            <s>
              <bdi>{line.description || 'Line without a description'}</bdi>
            </s>
          </Link>{' '}
          <Note>removed by the platform · expense of {formatDay(line.expenseDate)}</Note>
        </td>
        <td data-name="Before" className="text-ink2">
          <s>
            <ShortAmount amount={line.totalAmount} currency={line.currency} />
          </s>
        </td>
        <td data-name="Now" className="text-ink3">
          —
        </td>
        <EffectCell effect={row.effect} />
      </>
    )
  }
  const { line, field, currency } = row
  return (
    <>
      <td>
        {line === null ? (
          'Invoice'
        ) : (
          <Link href={toLineAddress(connectionId, serialNumber, line.lineId)} className="hover:underline">
            <bdi>{line.description || 'Line without a description'}</bdi>
          </Link>
        )}
        {' · '}
        <strong className="font-semibold" title={field.path}>
          {nameField(field)}
        </strong>{' '}
        {line?.isLate && <span className="whitespace-nowrap rounded bg-warnbg px-1.5 text-warn">late correction</span>}
      </td>
      <td data-name="Before" className="text-ink2">
        <FieldValueText value={field.before} unit={field.unit} currency={currency} />
      </td>
      <td data-name="Now">
        <FieldValueText value={field.after} unit={field.unit} currency={currency} />
      </td>
      <EffectCell effect={row.effect} />
    </>
  )
}

function EffectCell({ effect }: { effect: ChangeEffect | null }) {
  return (
    <td data-name="Effect" data-none={effect === null ? '' : undefined}>
      {effect !== null && <Effect effect={effect} />}
    </td>
  )
}

function Effect({ effect }: { effect: ChangeEffect }) {
  switch (effect.kind) {
    case 'money':
      return <Amount amount={effect.amount} currency={effect.currency} signed withCode className="font-medium" />
    case 'difference':
      return <span className="text-ink3">{formatFigure(effect.difference, effect.unit, effect.currency, true)}</span>
    case 'moved':
      return (
        <span className="text-ink3">
          moved <Amount amount={effect.amount} currency={effect.currency} />
        </span>
      )
    case 'currency':
      return (
        <span className="text-warn">
          {effect.before} → {effect.after}
        </span>
      )
    case 'none':
      return <span className="text-ink3">no change in amount</span>
  }
}

function Note({ children }: { children: ReactNode }) {
  return <span className="text-[12px] text-ink3">{children}</span>
}

function toLinesAddress(connectionId: ConnectionId, serialNumber: string): string {
  return toAddress(
    '/lines',
    writeLineQuery({ ...DEFAULT_LINE_QUERY, connections: [connectionId], invoices: [serialNumber] }),
  )
}
