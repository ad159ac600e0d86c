import { Banner } from '#components/primitives/banner.tsx'
import { CopyButton } from '#components/text/copy-button.client.tsx'

/** A link that was just made, for the one who made it. */
export function InvitationLink({ email, link }: { email: string; link: string }) {
  return (
    <Banner tone="good">
      <p>
        Hand this link to <bdi className="font-medium">{email}</bdi>. Nobody can show it again: only its hash is stored.
      </p>
      <div className="mt-1.5 flex items-center gap-2">
        <input
          aria-label="Invitation link"
          readOnly
          value={link}
          className="field h-8 min-w-0 max-w-[640px] flex-1 font-mono text-[12px]"
        />
        <CopyButton text={link} />
      </div>
    </Banner>
  )
}
