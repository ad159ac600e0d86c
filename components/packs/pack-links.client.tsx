'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { CopyButton } from '#components/text/copy-button.client.tsx'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { plural } from '#components/text/plural.ts'
import { LINK_DAYS, type PackLink, type PackRow } from '#lib/pack/model.ts'
import { toPost } from './pack-post.ts'

type PackLinksProps = { pack: PackRow; mayShare: boolean; onChanged: () => void }

/** Links for somebody outside to one pack: a new one is shown once, every one can be withdrawn. */
export function PackLinks({ pack, mayShare, onChanged }: PackLinksProps) {
  const [days, setDays] = useState<number>(LINK_DAYS[0])
  const [made, setMade] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const send = async (address: string, body: object) => {
    const answer = await readAnswer<{ link?: string }>(address, undefined, toPost(body))
    setFailure(answer.status === 'failed' ? answer.text : null)
    if (answer.status === 'ready') setMade(answer.value.link ?? null)
    onChanged()
  }
  return (
    <section aria-label="Links to this pack" className="flex flex-col gap-2 border-t pt-2">
      {failure !== null && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
      {made !== null && (
        <div className="flex items-center gap-2">
          <input
            readOnly
            aria-label="The new link"
            value={made}
            onFocus={(event) => event.target.select()}
            className="field h-7 min-w-0 flex-1"
          />
          <CopyButton text={made} label="Copy link" />
        </div>
      )}
      {made !== null && (
        <p className="text-ink2">It is shown this once. Whoever has it gets this pack and nothing else.</p>
      )}
      {pack.links.map((link) => (
        <div key={link.id} className="flex flex-wrap items-center gap-x-3">
          <span className="min-w-0 flex-1">
            {STATES[link.state]} <LocalMoment at={link.expiresAt} />
            <span className="text-ink2">
              {' '}
              · {toOpened(link)} · by <bdi>{link.madeBy}</bdi>
            </span>
          </span>
          {mayShare && link.state === 'open' && (
            <button
              type="button"
              onClick={() => send('/api/packs/links/withdraw', { link: link.id })}
              className={buttonClass({ size: 'small' })}
            >
              Withdraw
            </button>
          )}
        </div>
      ))}
      {mayShare && (
        <div className="flex items-center gap-2">
          <label className="flex items-center gap-2">
            A new link, good for
            <select value={days} onChange={(event) => setDays(Number(event.target.value))} className="field h-7">
              {LINK_DAYS.map((each) => (
                <option key={each} value={each}>
                  {each} days
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            onClick={() => send('/api/packs/links', { pack: pack.id, days })}
            className={buttonClass({ size: 'small' })}
          >
            Make a link
          </button>
        </div>
      )}
    </section>
  )
}

const STATES: Record<PackLink['state'], string> = {
  open: 'Open until',
  expired: 'Ended on',
  withdrawn: 'Withdrawn; it would have ended on',
}

function toOpened({ openCount, openedAt }: PackLink): string {
  return openedAt === null ? 'not opened yet' : `opened ${plural(openCount, 'time')}`
}
