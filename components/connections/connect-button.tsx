import { buttonClass } from '#components/primitives/button.ts'
import { Plus } from '#components/primitives/icons.tsx'

type ConnectButtonProps = {
  /** Only admins connect accounts. */
  canConnect: boolean
  look?: 'primary' | 'plain'
}

/** Leads to the platform's consent page in one click, in the same tab. */
export function ConnectButton({ canConnect, look = 'primary' }: ConnectButtonProps) {
  if (!canConnect) return <p className="text-[13px] text-ink2">Ask an admin to connect an account.</p>
  return (
    <form method="post" action="/api/connections/connect">
      <button type="submit" className={buttonClass({ look })}>
        <Plus size={16} />
        Connect account
      </button>
    </form>
  )
}
