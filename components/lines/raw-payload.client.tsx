'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import { indentJson } from '#components/text/indent-json.ts'
import { RawText } from '#components/text/raw-text.tsx'

/** The record as the platform sent it: formatted, or byte for byte. */
export function RawPayload({ text, isOpen = true }: { text: string; isOpen?: boolean }) {
  const [isAsReceived, setAsReceived] = useState(false)
  const label = isAsReceived ? 'Raw payload as received' : 'Raw payload'
  return (
    <details open={isOpen} className="mt-4">
      <summary className="mb-1.5 rounded-sm font-medium text-[12px] text-ink3 hover:text-ink">Raw payload</summary>
      <div className="mb-1.5 flex gap-1.5">
        <button
          type="button"
          aria-pressed={isAsReceived}
          onClick={() => setAsReceived(!isAsReceived)}
          className={buttonClass({ size: 'small' })}
        >
          {isAsReceived ? 'Format' : 'Original'}
        </button>
        <CopyButton text={text} />
      </div>
      <RawText text={isAsReceived ? text : indentJson(text)} label={label} className="max-h-[420px] bg-bg" />
    </details>
  )
}
