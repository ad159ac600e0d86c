'use client'

import { useEffect } from 'react'

/**
 * On screen a negative figure has a real minus sign. Copied, it gets the hyphen that spreadsheets
 * read.
 */
export function PlainCopies() {
  useEffect(() => {
    const onCopy = (event: ClipboardEvent) => {
      const text = document.getSelection()?.toString() ?? ''
      if (!text.includes('\u2212') || event.target instanceof HTMLInputElement) return
      event.clipboardData?.setData('text/plain', text.replaceAll('\u2212', '-'))
      event.preventDefault()
    }
    document.addEventListener('copy', onCopy)
    return () => document.removeEventListener('copy', onCopy)
  }, [])
  return null
}
