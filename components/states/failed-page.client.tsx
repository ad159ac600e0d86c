'use client'

import { useTransition } from 'react'
import { buttonClass } from '#components/primitives/button.ts'

/** The props of an error file. The thrown message belongs in the log, never on screen. */
export type FailedPageProps = { error: unknown; retry: () => void }

/**
 * A page that could not load: says so, instead of an empty table. Every page carries this file, so
 * it is small: its looks are in app/frame.css.
 */
export function FailedPage({ error, retry }: FailedPageProps) {
  const [isPending, startTransition] = useTransition()
  const reference = readDigest(error)
  return (
    <div className="failed-page" role="alert">
      <h1>
        <span aria-hidden />
        This page could not be loaded
      </h1>
      <p>
        The figures could not be read, so none are shown. Nothing was changed. Trying again often helps; if it does not,
        tell your operator{reference ? ' the reference below' : ' when it happened'}.
      </p>
      {reference && (
        <p>
          Reference <code>{reference}</code>
        </p>
      )}
      <div>
        <button
          type="button"
          disabled={isPending}
          onClick={() => startTransition(retry)}
          className={buttonClass({ look: 'primary' })}
        >
          Try again
        </button>
        {/* a whole page load, without the router */}
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
