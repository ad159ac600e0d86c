'use client'

import { useEffect, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { askPasskey, canUsePasskeys, postJson } from './passkey-browser.ts'

/** Signs in with a passkey and goes to `next`, a path of ours. Nothing where it cannot. */
export function PasskeySignIn({ next }: { next: string }) {
  const [state, setState] = useState<'cannot' | 'ready' | 'busy' | 'failed'>('cannot')
  useEffect(() => setState(canUsePasskeys() ? 'ready' : 'cannot'), [])

  const signIn = async () => {
    setState('busy')
    const options = await postJson('/api/sign-in/passkey/options')
    const response = options === null ? null : await askPasskey(options)
    const signedIn = response === null ? null : await postJson('/api/sign-in/passkey', response)
    if (signedIn === null) setState('failed')
    else location.assign(next)
  }

  if (state === 'cannot') return null
  return (
    <div className="mt-4 flex flex-col gap-2 border-t pt-4">
      <button type="button" onClick={signIn} disabled={state === 'busy'} className={`${buttonClass()} h-9`}>
        Use a passkey
      </button>
      <p role="status" className="text-[13px] text-bad">
        {state === 'failed' && 'The passkey did not sign you in. Try again, or use your password.'}
      </p>
    </div>
  )
}
