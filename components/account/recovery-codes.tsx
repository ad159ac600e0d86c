import { buttonClass } from '#components/primitives/button.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'

/** New recovery codes, until the person says that they have kept them. */
export function RecoveryCodes({ codes }: { codes: string[] }) {
  return (
    <div className="mb-4 rounded-md border border-line2 bg-panel p-3">
      <h3 className="font-medium text-[13px]">Recovery codes</h3>
      <p className="mt-0.5 text-[13px] text-ink2">
        Each signs you in once when your app is not at hand. Print them or keep them where you keep passwords. They are
        shown here only now.
      </p>
      <ul className="my-3 grid grid-cols-2 gap-x-6 gap-y-1 font-mono text-[13px] max-md:grid-cols-1">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex gap-2">
        <CopyButton text={codes.join('\n')} label="Copy all" />
        <form method="post" action="/api/account/second-step/codes/kept">
          <button type="submit" className={buttonClass({ look: 'primary' })}>
            I have kept them
          </button>
        </form>
      </div>
    </div>
  )
}
