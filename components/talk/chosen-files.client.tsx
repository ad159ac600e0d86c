'use client'

import { useRef } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { X } from '#components/primitives/icons.tsx'
import { FILE_KINDS } from '#lib/talk/file-kind.ts'
import { formatSize } from './file-size.ts'
import type { ChosenFile } from './use-files.client.tsx'

/** What the browser offers at first; the first bytes decide. */
const ACCEPTED = Object.values(FILE_KINDS)
  .flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
  .join(',')

/** The files that go with a comment, each with a button that takes it out. */
export function ChosenFiles({ files, remove }: { files: ChosenFile[]; remove: (key: number) => void }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files of the comment" className="flex flex-wrap gap-1.5 text-[12.5px]">
      {files.map(({ key, file, name }) => (
        <li key={key} className="flex min-w-0 max-w-full items-center gap-1.5 rounded-md border border-line2 pl-2">
          <bdi className="min-w-0 truncate" title={name}>
            {name}
          </bdi>
          <span className="shrink-0 text-ink3">{formatSize(file.size)}</span>
          <button
            type="button"
            onClick={() => remove(key)}
            title="Take it out"
            className={buttonClass({ look: 'quiet', size: 'small' })}
          >
            <X size={12} />
            <span className="sr-only">
              Take out <bdi>{name}</bdi>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** A button that opens the browser's choice of files. */
export function AttachButton({ choose }: { choose: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Files to attach"
        onChange={(event) => {
          choose([...(event.target.files ?? [])])
          // the same file can be chosen again after it was taken out
          event.target.value = ''
        }}
      />
      <button
        type="button"
        onClick={() => input.current?.click()}
        title="Attach PDFs or pictures of up to 10 MB; or drop or paste them here"
        className={buttonClass()}
      >
        Attach…
      </button>
    </>
  )
}
