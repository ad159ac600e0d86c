'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Mark } from '#components/primitives/mark.tsx'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import { RawText } from '#components/text/raw-text.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { RejectedLine } from '#lib/ledger/model.ts'

const NOUNS: Record<RejectedLine['list'], string> = { lines: 'Line', invoices: 'Invoice', profiles: 'Profile' }

/** A rejected record: why, where in it, and its text byte for byte. */
export function RejectedRecord({ record, now }: { record: RejectedLine; now: number }) {
  const [wrap, setWrap] = useState(true)
  const name = `${NOUNS[record.list]} ${record.recordId ?? 'without a readable id'}`
  return (
    <article aria-label={name}>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
        <Mark kind="failed" />
        <h2 className="min-w-0 truncate font-medium text-[14px]">
          <bdi>{name}</bdi>
        </h2>
        <p className="min-w-0 truncate text-[13px] text-ink2">
          {record.invoiceSerialNumber && (
            <>
              of <bdi>{record.invoiceSerialNumber}</bdi>
              {' · '}
            </>
          )}
          <bdi>{record.connectionName ?? 'New account'}</bdi> · seen <RelativeTime at={record.lastSeenAt} now={now} />
        </p>
        <div className="ml-auto flex gap-1.5 max-md:ml-0">
          <button
            type="button"
            aria-pressed={wrap}
            onClick={() => setWrap(!wrap)}
            className={buttonClass({ size: 'small' })}
          >
            {wrap ? 'One line' : 'Wrap'}
          </button>
          <CopyButton text={record.raw} />
        </div>
      </div>
      <p className="mt-1 text-[13px] [overflow-wrap:anywhere]">
        {record.path !== '' && (
          <code className="mr-1.5 rounded bg-hover px-1 font-mono text-[12px]">{record.path}</code>
        )}
        <bdi>{record.reason}</bdi>
      </p>
      <RawText text={record.raw} label={`Raw text of ${name}`} wrap={wrap} className="mt-2 max-h-72 bg-panel" />
    </article>
  )
}
