'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { afterPaint } from '#components/query/after-paint.ts'
import { changeParameters } from '#components/query/change-parameters.ts'
import { OPEN_PARAMETER, toKeptIds } from './open-groups.ts'

type OpenGroups = { openGroups: ReadonlySet<string>; setOpen: (id: string, isOpen: boolean) => void }

/** Which groups are open. Opening responds at once; the address follows without a history entry. */
export function useOpenGroups(): OpenGroups {
  const kept = useSearchParams().getAll(OPEN_PARAMETER)
  const address = JSON.stringify(kept)
  const [known, setKnown] = useState({ address, open: new Set(kept) })
  // an address that we did not write comes from Back or Forward
  if (known.address !== address) {
    const isOwn = JSON.stringify(toKeptIds(known.open)) === address
    setKnown({ address, open: isOwn ? known.open : new Set(kept) })
  }
  return {
    openGroups: known.open,
    setOpen: (id, isOpen) => {
      const open = new Set(known.open)
      if (isOpen) open.add(id)
      else open.delete(id)
      setKnown({ ...known, open })
      const keep = (params: URLSearchParams) => {
        params.delete(OPEN_PARAMETER)
        for (const keptId of toKeptIds(open)) params.append(OPEN_PARAMETER, keptId)
      }
      void afterPaint().then(() => changeParameters(keep, { isStep: false }))
    },
  }
}
