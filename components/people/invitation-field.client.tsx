'use client'

import { useEffect, useState } from 'react'
import { EntryField } from '#components/sign-in/entry-page.tsx'

/**
 * The secret of an invitation link. It stands behind the `#` of the address, which no server sees:
 * taken from there, and from the address bar too. Without scripts, it is pasted.
 */
export function InvitationField() {
  const [key, setKey] = useState('')
  useEffect(() => {
    const found = location.hash.slice(1)
    if (found === '') return
    setKey(found)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  if (key !== '') return <input type="hidden" name="invitation" value={key} />
  return <EntryField label="Invitation link" name="invitation" autoComplete="off" />
}
