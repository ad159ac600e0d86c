'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { FileText } from '#components/primitives/icons.tsx'
import { readAnswer } from '#components/query/read-answer.ts'

type OriginalDocumentProps = { connectionId: string; serialNumber: string }

const KEPT_MS = 60_000

/**
 * Fetches the platform's own document of the invoice, and saves it; says why when there is none.
 */
export function OriginalDocument({ connectionId, serialNumber }: OriginalDocumentProps) {
  const [isFetching, setFetching] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)

  const fetchIt = async () => {
    if (isFetching) return
    setFetching(true)
    setFailure(null)
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ connection: connectionId, serial: serialNumber }),
    }
    const answer = await readAnswer('/api/invoices/document', undefined, init, (response) => response.blob())
    setFetching(false)
    if (answer.status === 'ready') save(answer.value, `${serialNumber}.pdf`)
    else if (answer.status === 'missing') setFailure('This invoice is no longer there. Reload the page.')
    else setFailure(`${answer.text}${answer.reference ? ` Reference ${answer.reference}.` : ''}`)
  }

  return (
    <>
      {failure !== null && (
        // on a phone the words stand below the buttons: beside them they would take the title's
        // place
        <span
          role="alert"
          className="max-w-72 text-[12px] text-bad leading-4 max-md:absolute max-md:top-14 max-md:right-4 max-md:z-10 max-md:rounded-md max-md:border max-md:bg-bg max-md:px-3 max-md:py-2"
        >
          {failure}
        </span>
      )}
      <button type="button" onClick={fetchIt} aria-disabled={isFetching} className={buttonClass()}>
        <FileText size={16} />
        <span className="max-[420px]:sr-only">{isFetching ? 'Fetching…' : 'Original document'}</span>
      </button>
      <span role="status" className="sr-only">
        {isFetching ? 'Fetching the document from the travel platform.' : ''}
      </span>
    </>
  )
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // some browsers read it a little later
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
