'use client'

import { useEffect, useState } from 'react'

/**
 * The secret of an invitation link. It stands behind the `#` of the address, which no server sees:
 * taken from there, and from the address bar too. Without scripts, it is pasted.
 */
export function InvitationField({ className }: { className: string }) {
  const [key, setKey] = useState('')
  useEffect(() => {
    const found = location.hash.slice(1)
    if (found === '') return
    setKey(found)
    history.replaceState(history.state, '', location.pathname + location.search)
  }, [])
  if (key !== '') return <input type="hidden" name="invitation" value={key} />
  return (
    <label className="flex flex-col gap-1 font-medium text-[13px]">
      Invitation link
      <input name="invitation" required autoComplete="off" className={className} />
    </label>
  )
}
