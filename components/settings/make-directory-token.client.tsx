'use client'

import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'

const ADDRESS = '/api/settings/directory/token'

/** Makes a token and shows its secret, once; without scripts, a plain form that a page answers. */
export function MakeDirectoryToken() {
  const router = useRouter()
  const [secret, setSecret] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)

  const make = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setFailure(null)
    const body = JSON.stringify(Object.fromEntries(new FormData(form)))
    const headers = { 'content-type': 'application/json' }
    const answer = await readAnswer<{ secret: string }>(ADDRESS, undefined, { method: 'POST', headers, body })
    if (answer.status === 'ready') {
      setSecret(answer.value.secret)
      form.reset()
      router.refresh()
    } else setFailure(answer.status === 'failed' ? answer.text : 'Please reload the page.')
  }

  return (
    <>
      <form method="post" action={ADDRESS} onSubmit={make} className="flex flex-wrap items-end gap-2 text-[13px]">
        <label className="flex flex-col gap-1">
          Directory
          <input
            name="name"
            required
            maxLength={80}
            placeholder="Entra ID"
            autoComplete="off"
            className="field h-7 w-44"
          />
        </label>
        <label className="flex flex-col gap-1">
          Valid
          <select name="days" className="field h-7">
            <option value="">until it is revoked</option>
            <option value="90">90 days</option>
            <option value="180">180 days</option>
            <option value="365">one year</option>
          </select>
        </label>
        <button type="submit" className={buttonClass()}>
          Make a token
        </button>
      </form>
      {failure !== null && (
        <p role="alert" className="mt-1 text-[12px] text-bad">
          {failure}
        </p>
      )}
      {secret !== null && (
        <div role="status" className="mt-2 rounded border border-line2 bg-panel px-3 py-2 text-[13px]">
          <p>Copy the token now: it is shown only here, and only once.</p>
          <p className="mt-1 flex items-center gap-2">
            <code className="min-w-0 break-all font-mono text-[12px]">{secret}</code>
            <CopyButton text={secret} label="Copy the token" />
          </p>
        </div>
      )}
    </>
  )
}
