'use client'

import { useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { readAnswer } from '#components/query/read-answer.ts'
import { formatSize } from '#components/talk/file-size.ts'
import { LocalMoment } from '#components/text/local-moment.tsx'
import { plural } from '#components/text/plural.ts'
import type { PackRow } from '#lib/pack/model.ts'
import { PackLinks } from './pack-links.client.tsx'
import { toPost } from './pack-post.ts'

type PackEntryProps = { pack: PackRow; mayShare: boolean; onChanged: () => void }

const KEPT_MS = 60_000

/** One pack: when, of whom and how large; to save, and with the links to it. */
export function PackEntry({ pack, mayShare, onChanged }: PackEntryProps) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isSharing, setSharing] = useState(false)
  const save = async () => {
    const read = async (reply: Response) => ({
      file: await reply.blob(),
      name: /filename="([^"]+)"/.exec(reply.headers.get('content-disposition') ?? '')?.[1] ?? 'pack.pdf',
    })
    const answer = await readAnswer('/api/packs/file', undefined, toPost({ pack: pack.id }), read)
    if (answer.status === 'ready') keep(answer.value.file, answer.value.name)
    setFailure(answer.status === 'failed' ? answer.text : null)
  }
  return (
    <li>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 flex-1">
          <LocalMoment at={pack.askedAt} />, <bdi>{pack.askedBy}</bdi>
          <span className="block text-[12px] text-ink2">{toState(pack)}</span>
        </span>
        {pack.state === 'made' && (
          <span className="flex gap-2">
            <button type="button" onClick={save} className={buttonClass({ size: 'small' })}>
              Save
            </button>
            {(mayShare || pack.links.length > 0) && (
              <button
                type="button"
                aria-expanded={isSharing}
                onClick={() => setSharing(!isSharing)}
                className={buttonClass({ size: 'small' })}
              >
                {pack.links.length === 0 ? 'Give a link' : plural(pack.links.length, 'link')}
              </button>
            )}
          </span>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className="text-bad">
          {failure}
        </p>
      )}
      {pack.seal !== null && (
        <details className="text-[12px] text-ink2">
          <summary>Hashes</summary>
          <p className="break-all">Seal {pack.seal}</p>
          <p className="break-all">SHA-256 of the file {pack.hash}</p>
        </details>
      )}
      {isSharing && <PackLinks pack={pack} mayShare={mayShare} onChanged={onChanged} />}
    </li>
  )
}

function toState({ state, lineCount, size }: PackRow): string {
  if (state === 'waiting') return 'Being made; you may close this.'
  if (state === 'failed')
    return 'It could not be made. Make a new one; if that does not help, ask whoever runs the program.'
  return `${plural(lineCount ?? 0, 'line')}, ${formatSize(size ?? 0)}`
}

function keep(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // some browsers read it a little later
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
