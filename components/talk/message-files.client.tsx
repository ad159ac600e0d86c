'use client'

import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { FileText } from '#components/primitives/icons.tsx'
import { formatMoment } from '#lib/reconcile/moment.ts'
import { FILE_KINDS } from '#lib/talk/file-kind.ts'
import type { MessageFile } from '#lib/talk/model.ts'
import { formatSize } from './file-size.ts'
import { sendTalk } from './use-talk.client.tsx'

/** A larger picture is opened rather than fetched for a small look at it. */
const MOST_SHOWN_BYTES = 2 * 1024 * 1024

const toAddress = (id: string) => `/api/talk/files?${new URLSearchParams({ id })}`

type MessageFilesProps = {
  files: MessageFile[]
  author: string
  mayRemove: boolean
  onChanged: () => Promise<void>
}

/** The files of a comment: each a download, a picture with a small look at it. */
export function MessageFiles({ files, author, mayRemove, onChanged }: MessageFilesProps) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="mt-1 flex flex-col gap-1.5 text-[12.5px]">
      {files.map((file) => (
        <li key={file.id} className="min-w-0">
          {file.removedAt === null ? (
            <File file={file} mayRemove={mayRemove} onChanged={onChanged} />
          ) : (
            <span className="text-ink3">
              <bdi>{author}</bdi> removed <bdi className="line-through [overflow-wrap:anywhere]">{file.name}</bdi>,{' '}
              <time dateTime={file.removedAt}>{formatMoment(file.removedAt)}</time>
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}

type FileProps = { file: MessageFile; mayRemove: boolean; onChanged: () => Promise<void> }

function File({ file: { id, name, kind, size }, mayRemove, onChanged }: FileProps) {
  const isPicture = kind !== 'pdf' && size <= MOST_SHOWN_BYTES
  return (
    <div className="flex min-w-0 items-start gap-2">
      <span
        aria-hidden
        className="flex size-11 shrink-0 items-center justify-center overflow-hidden rounded-md border border-line2 bg-bg text-ink3"
      >
        {isPicture ? (
          // biome-ignore lint/performance/noImgElement: it is private, and as small as it comes
          <img src={toAddress(id)} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
        ) : (
          <FileText size={18} />
        )}
      </span>
      <div className="min-w-0">
        <a href={toAddress(id)} download className="rounded-sm underline-offset-2 hover:underline" title={name}>
          <bdi className="[overflow-wrap:anywhere]">{name}</bdi>
        </a>
        <p className="flex flex-wrap items-center gap-x-2 text-ink3">
          {FILE_KINDS[kind].label} · {formatSize(size)}
          {mayRemove && <RemoveButton id={id} name={name} onChanged={onChanged} />}
        </p>
      </div>
    </div>
  )
}

type RemoveButtonProps = { id: string; name: string; onChanged: () => Promise<void> }

/** Asks once more in its own place: what is removed does not come back. */
function RemoveButton({ id, name, onChanged }: RemoveButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const keep = useRef<HTMLButtonElement>(null)
  const begin = useRef<HTMLButtonElement>(null)
  const wasAsking = useRef(false)
  useEffect(() => {
    if (isAsking) keep.current?.focus()
    else if (wasAsking.current) begin.current?.focus()
    wasAsking.current = isAsking
  }, [isAsking])
  const remove = async () => {
    const refused = await sendTalk('/api/talk/files/remove', { file: id })
    if (refused === null) await onChanged()
    setFailure(refused)
    setAsking(false)
  }
  if (!isAsking)
    return (
      <>
        <button
          ref={begin}
          type="button"
          onClick={() => setAsking(true)}
          className="-my-1 rounded-sm px-1 py-1 text-ink2 underline-offset-2 hover:underline"
        >
          Remove
          <span className="sr-only">
            {' '}
            <bdi>{name}</bdi>
          </span>
        </button>
        {failure !== null && (
          <span role="alert" className="text-bad">
            {failure}
          </span>
        )}
      </>
    )
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's
    <span role="group" aria-label="Remove the file for good?" className="flex flex-wrap items-center gap-1.5">
      <span className="text-ink">Remove it for good?</span>
      <button ref={keep} type="button" onClick={() => setAsking(false)} className={buttonClass({ size: 'small' })}>
        Keep
      </button>
      <button type="button" onClick={() => void remove()} className={buttonClass({ look: 'danger', size: 'small' })}>
        Remove
      </button>
    </span>
  )
}
