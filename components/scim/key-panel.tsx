import { buttonClass } from '#components/primitives/button.ts'
import { Mark } from '#components/primitives/mark.tsx'
import { RelativeTime } from '#components/text/relative-time.client.tsx'
import type { ScimKeyState } from '#lib/connections/scim/scim-discovery.ts'
import type { ConnectionId } from '#lib/ids.ts'

type KeyPanelProps = {
  connectionId: ConnectionId
  keyState: ScimKeyState
  /** Only admins enter, replace and remove keys. */
  canChange: boolean
  /** The account is disconnected, so no key can be entered. */
  isEnded: boolean
  now: number
}

/**
 * Whether there is a key and who entered it; admins can change it. The key itself is never shown.
 */
export function KeyPanel({ connectionId, keyState, canChange: isAllowed, isEnded, now }: KeyPanelProps) {
  const canChange = isAllowed && !isEnded
  return (
    <section aria-labelledby="scim-key" className="border-t px-5 py-4 max-md:px-4">
      <h2 id="scim-key" className="font-semibold text-[14px]">
        API key
      </h2>
      <p className="mt-1 flex items-baseline gap-2 text-[13px]">
        <Mark kind={keyState.kind === 'set' ? 'good' : 'open'} />
        <span className="min-w-0">
          <KeySentence keyState={keyState} now={now} />
        </span>
      </p>
      {canChange && keyState.kind !== 'set' && (
        <div className="mt-3">
          <KeyForm connectionId={connectionId} action="Save key" />
        </div>
      )}
      {canChange && keyState.kind === 'set' && (
        <div className="mt-2.5 flex flex-wrap items-start gap-x-6 gap-y-2 text-[13px]">
          <details>
            <summary className="w-fit rounded-sm text-accent hover:underline">Replace the key</summary>
            <div className="mt-2">
              <KeyForm connectionId={connectionId} action="Replace key" />
            </div>
          </details>
          <details>
            <summary className="w-fit rounded-sm text-accent hover:underline">Remove the key</summary>
            <form
              method="post"
              action={`/api/connections/${connectionId}/scim/key/remove`}
              className="mt-2 flex max-w-[60ch] flex-wrap items-center gap-2.5"
            >
              <p className="text-ink2">
                It is destroyed here and stays valid on the platform. What was learned with it stays on this page;
                checking again needs a key.
              </p>
              <button type="submit" className={buttonClass()}>
                Remove key
              </button>
            </form>
          </details>
        </div>
      )}
      {!isAllowed && !isEnded && keyState.kind !== 'set' && (
        <p className="mt-1 text-[13px] text-ink2">Ask an admin of your organization to enter one.</p>
      )}
    </section>
  )
}

function KeySentence({ keyState, now }: { keyState: ScimKeyState; now: number }) {
  if (keyState.kind === 'none') return <>No key has been entered for this connection.</>
  const by = keyState.changedBy === null ? '' : ` by ${keyState.changedBy}`
  return (
    <>
      {keyState.kind === 'set' ? `A key is stored, sealed; entered${by} ` : `The key was removed${by} `}
      <RelativeTime at={keyState.changedAt} now={now} />.
      {keyState.kind === 'set' && (
        <span className="text-ink2"> It cannot be shown again; only the worker can use it.</span>
      )}
    </>
  )
}

function KeyForm({ connectionId, action }: { connectionId: ConnectionId; action: string }) {
  return (
    <form
      method="post"
      action={`/api/connections/${connectionId}/scim/key`}
      autoComplete="off"
      className="flex flex-wrap items-end gap-2"
    >
      <label className="flex flex-col gap-1 text-[12px] text-ink3 max-md:w-full">
        SCIM API key
        <input
          type="password"
          name="apiKey"
          required
          maxLength={4096}
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore
          className="h-[30px] w-[320px] rounded-md border border-line2 bg-bg px-2 font-mono text-[13px] text-ink max-md:h-9 max-md:w-full max-md:text-[16px]"
        />
      </label>
      <button type="submit" className={buttonClass()}>
        {action}
      </button>
    </form>
  )
}
