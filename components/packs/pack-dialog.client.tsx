'use client'

import { useCallback, useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { readAnswer } from '#components/query/read-answer.ts'
import { type PackRow, writePackScope } from '#lib/pack/model.ts'
import type { CloseScope } from '#lib/reconcile/close/scope.ts'
import { PackEntry } from './pack-entry.client.tsx'
import { toPost } from './pack-post.ts'

type Listed = { packs: PackRow[]; may: { share: boolean } }

const LOOK_EVERY_MS = 1000

/** The packs that there are, the newest first; one that is being made comes by itself. */
export function PackDialog({ scope, onClose }: { scope: CloseScope; onClose: () => void }) {
  const { listed, failure, setFailure, look } = usePacks(writePackScope(scope).toString())
  const ask = async () => {
    const answer = await readAnswer('/api/packs', undefined, toPost(Object.fromEntries(writePackScope(scope))))
    setFailure(answer.status === 'failed' ? answer.text : null)
    look()
  }
  const isMaking = listed?.packs.some(({ state }) => state === 'waiting') ?? false
  return (
    <DialogBox label="Evidence pack" onClose={onClose} className="packs">
      {(close) => (
        <>
          <h2>Evidence pack</h2>
          <p className="text-ink2">
            One PDF for an auditor: the tie-out, what was found and decided, and who signed. Attached are the lines, the
            records as received, and a program that checks all of it without Tieout.
          </p>
          {failure !== null && (
            <p role="alert" className="text-bad">
              {failure}
            </p>
          )}
          <p role="status" className="sr-only">
            {isMaking ? 'The pack is being made.' : ''}
          </p>
          {listed !== null && listed.packs.length > 0 && (
            <ul>
              {listed.packs.map((pack) => (
                <PackEntry key={pack.id} pack={pack} mayShare={listed.may.share} onChanged={look} />
              ))}
            </ul>
          )}
          {listed?.packs.length === 0 && <p className="text-ink2">There is none yet.</p>}
          <div className="flex justify-end gap-2">
            <button type="button" onClick={close} className={buttonClass()}>
              Close
            </button>
            <button
              type="button"
              onClick={ask}
              aria-disabled={isMaking || listed === null}
              className={buttonClass({ look: 'primary' })}
            >
              {listed?.packs.length ? 'Make a new one' : 'Make the pack'}
            </button>
          </div>
        </>
      )}
    </DialogBox>
  )
}

/** Looked at again each second while one is being made. */
function usePacks(address: string) {
  const [listed, setListed] = useState<Listed | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [turn, setTurn] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn asks again
  useEffect(() => {
    const asked = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    readAnswer<Listed>(`/api/packs?${address}`, asked.signal).then((answer) => {
      if (asked.signal.aborted) return
      if (answer.status === 'ready') setListed(answer.value)
      if (answer.status === 'failed') setFailure(answer.text)
      const waits = answer.status === 'ready' && answer.value.packs.some(({ state }) => state === 'waiting')
      if (waits) timer = setTimeout(() => setTurn((last) => last + 1), LOOK_EVERY_MS)
    })
    return () => {
      asked.abort()
      clearTimeout(timer)
    }
  }, [address, turn])
  const look = useCallback(() => setTurn((last) => last + 1), [])
  return { listed, failure, setFailure, look }
}
