import type { ConnectOutcome } from '../../lib/connections/connect-outcomes.ts'
import { Banner, type BannerTone } from '../primitives/banner.tsx'

const TONES: Record<ConnectOutcome['tone'], BannerTone> = { success: 'good', neutral: 'plain', danger: 'bad' }

/** How the last click on "Connect account" ended; fixed words, nothing that the platform sent. */
export function OutcomeBanner({ outcome }: { outcome: ConnectOutcome }) {
  return (
    <Banner tone={TONES[outcome.tone]} className="border-t">
      <strong className="font-medium">{outcome.title}.</strong> <span className="text-ink2">{outcome.text}</span>
    </Banner>
  )
}
