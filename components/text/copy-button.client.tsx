'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'

const SHOWN_MS = 1500

type CopyButtonProps = { text: string; label?: string; onCopied?: () => void }

/** Copies a text byte for byte and says whether it worked. */
export function CopyButton({ text, label = 'Copy', onCopied }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'Copied' | 'Not allowed by the browser' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('Copied')
      onCopied?.()
    } catch {
      setOutcome('Not allowed by the browser')
    }
  }
  return (
    <button type="button" onClick={copy} className={buttonClass({ size: 'small' })}>
      <span aria-live="polite">{outcome ?? label}</span>
    </button>
  )
}
