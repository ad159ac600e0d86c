'use client'

import { type FormEvent, useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { INPUT_CLASS } from './input-class.ts'
import { canUsePasskeys, createPasskey, postJson } from './passkey-browser.ts'

/** Makes a passkey in this browser; says so where it cannot. */
export function AddPasskey() {
  const [state, setState] = useState<'unknown' | 'cannot' | 'ready' | 'busy' | 'failed'>('unknown')
  useEffect(() => setState(canUsePasskeys() ? 'ready' : 'cannot'), [])

  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = `${new FormData(event.currentTarget).get('name')}`
    setState('busy')
    const options = await postJson('/api/account/passkeys/options')
    const response = options === null ? null : await createPasskey(options)
    const added = response === null ? null : await postJson('/api/account/passkeys', { name, response })
    if (added === null) setState('failed')
    else location.assign('/account?said=passkey-added#passkeys')
  }

  if (state === 'cannot') return <p className="text-[13px] text-ink2">This browser has no passkeys.</p>
  return (
    <form onSubmit={add} className="flex flex-col items-start gap-2">
      <label className="flex w-full flex-col gap-1 text-[13px]">
        Name of a new passkey
        <input name="name" required maxLength={60} placeholder="Work laptop" className={INPUT_CLASS} />
      </label>
      <button type="submit" disabled={state === 'unknown' || state === 'busy'} className={buttonClass()}>
        Add a passkey
      </button>
      <p role="status" className="text-[13px] text-bad">
        {state === 'failed' && 'No passkey was added. Try again, or use another device.'}
      </p>
    </form>
  )
}
