'use client'

import { useSearchParams } from 'next/navigation'
import { changeParameters } from '#components/query/change-parameters.ts'
import { LINE_PARAMETER, type LineKey, parseLineKey, writeLineKey } from './line-key.ts'

/**
 * The line whose panel is open, kept in the address without reloading the page. Opening adds a
 * history entry; moving to another line and closing do not.
 */
export function useOpenLine(): { openKey: string | null; open: (line: LineKey) => void; close: () => void } {
  const text = useSearchParams().get(LINE_PARAMETER)
  const openKey = parseLineKey(text) === null ? null : text
  return {
    openKey,
    open: (line) =>
      changeParameters((params) => params.set(LINE_PARAMETER, writeLineKey(line)), { isStep: openKey === null }),
    close: () => changeParameters((params) => params.delete(LINE_PARAMETER), { isStep: false }),
  }
}
