'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import { RawText } from '#components/text/raw-text.tsx'

/** The record's text byte for byte, or as one long line. */
export function RejectedRecord({ raw, name }: { raw: string; name: string }) {
  const [isOneLine, setOneLine] = useState(false)
  return (
    <details className="mt-1.5">
      <summary className="w-fit rounded-sm py-0.5 font-medium text-[12px] text-ink3 hover:text-ink">
        Original record
      </summary>
      <div className="my-1.5 flex gap-1.5">
        <button
          type="button"
          aria-pressed={isOneLine}
          onClick={() => setOneLine(!isOneLine)}
          className={buttonClass({ size: 'small' })}
        >
          {isOneLine ? 'Original' : 'Single line'}
        </button>
        <CopyButton text={raw} />
      </div>
      <RawText text={raw} label={`Raw text of ${name}`} wrap={!isOneLine} className="max-h-72 bg-panel" />
    </details>
  )
}
