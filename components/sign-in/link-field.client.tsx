'use client'

import { useEffect, useState } from 'react'
import { EntryField } from './entry-page.tsx'

/**
 * The secret of a link. It stands behind the `#` of the address, which no server sees: taken from
 * there, and from the address bar too. Without scripts, it is pasted.
 */
export function LinkField({ label, name }: { label: string; name: string }) {
  const [key, setKey] = useState('')
  useEffect(() => {
    const found = location.hash.slice(1)
    if (found === '') return
    setKey(found)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  if (key !== '') return <input type="hidden" name={name} value={key} />
  return <EntryField label={label} name={name} autoComplete="off" />
}
