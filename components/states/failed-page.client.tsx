'use client'

import { useTransition } from 'react'
import { buttonClass } from '#components/primitives/button.ts'

/** The props of an error file. The thrown message belongs in the log, never on screen. */
export type FailedPageProps = { error: unknown; retry: () => void }

/** A page that could not load: says so, instead of an empty table. */
export function FailedPage({ error, retry }: FailedPageProps) {
  const [isPending, startTransition] = useTransition()
  const reference = readDigest(error)
  return (
    <div className="flex flex-1 flex-col items-start px-5 py-10 max-md:px-4" role="alert">
      <h1 className="flex items-center gap-2.5 font-semibold text-[16px]">
        {/* the mark of a failure, written out: every page carries this file, three times over */}
        <span aria-hidden className="inline-block size-[9px] shrink-0 rounded-[2px] bg-bad" />
        This page could not be loaded
      </h1>
      <p className="mt-1 max-w-[60ch] text-[13px] text-ink2">
        The figures could not be read, so none are shown. Nothing was changed. Trying again often helps; if it does not,
        tell your operator{reference ? ' the reference below' : ' when it happened'}.
      </p>
      {reference && (
        <p className="mt-2 text-[12px] text-ink3">
          Reference <code className="font-mono">{reference}</code>
        </p>
      )}
      <div className="mt-4 flex gap-2">
        <button
          type="button"
          disabled={isPending}
          onClick={() => startTransition(retry)}
          className={buttonClass({ look: 'primary' })}
        >
          Try again
        </button>
        {/* a whole page load: without the router this file stays small */}
        <a href="/" className={buttonClass()}>
          Overview
        </a>
      </div>
    </div>
  )
}

function readDigest(error: unknown): string | null {
  const digest = (error as { digest?: unknown } | null)?.digest
  return typeof digest === 'string' ? digest : null
}
