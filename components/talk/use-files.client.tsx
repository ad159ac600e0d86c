'use client'

import { useRef, useState } from 'react'
import { readAnswer } from '#components/query/read-answer.ts'
import { BEGINNING_BYTES, FILE_TROUBLES, findTrouble, MOST_FILES, toFileName } from '#lib/talk/file-kind.ts'

/** A file that somebody has chosen. It leaves the browser only with the comment. */
export type ChosenFile = {
  key: number
  file: File
  name: string
  /** What the server calls it, once it has it. */
  id: string | null
}

type Files = {
  chosen: ChosenFile[]
  /** What to tell the person about those that were not taken; null for nothing. */
  add: (files: Iterable<File>) => Promise<string | null>
  remove: (key: number) => void
  clear: () => void
  /** Their ids; or what to tell the person. What has arrived is not sent again. */
  send: () => Promise<{ ids: string[] } | { trouble: string }>
}

/** The files of a comment that is being written. */
export function useFiles(): Files {
  const [chosen, setChosen] = useState<ChosenFile[]>([])
  const next = useRef(0)

  const add = async (files: Iterable<File>) => {
    const troubles: string[] = []
    const taken: ChosenFile[] = []
    for (const file of files) {
      const trouble = await toTrouble(file)
      if (trouble !== null) troubles.push(`${isolate(file.name)}: ${trouble}`)
      else if (chosen.length + taken.length >= MOST_FILES)
        return `A comment has at most ${MOST_FILES} files. Send the others with another one.`
      else taken.push({ key: next.current++, file, name: toFileName(file.name), id: null })
    }
    setChosen((before) => [...before, ...taken].slice(0, MOST_FILES))
    return troubles.length === 0 ? null : troubles.join(' ')
  }
  const send = async () => {
    const ids: string[] = []
    for (const { key, file, id } of chosen) {
      const sent = id === null ? await upload(file) : { id }
      if ('trouble' in sent) return sent
      setChosen((before) => before.map((each) => (each.key === key ? { ...each, id: sent.id } : each)))
      ids.push(sent.id)
    }
    return { ids }
  }
  return {
    chosen,
    add,
    remove: (key) => setChosen((before) => before.filter((each) => each.key !== key)),
    clear: () => setChosen([]),
    send,
  }
}

async function toTrouble(file: File): Promise<string | null> {
  try {
    const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer())
    const trouble = findTrouble(file.size, beginning)
    return trouble === null ? null : FILE_TROUBLES[trouble]
  } catch {
    // a folder, or what was moved away meanwhile
    return 'It cannot be read. Choose it again.'
  }
}

async function upload(file: File): Promise<{ id: string } | { trouble: string }> {
  const headers = {
    'content-type': 'application/octet-stream',
    'x-file-name': encodeURIComponent(toFileName(file.name)),
  }
  const answer = await readAnswer<{ file: { id: string } }>('/api/talk/files', undefined, {
    method: 'POST',
    headers,
    body: file,
  })
  if (answer.status === 'ready') return { id: answer.value.file.id }
  const text = answer.status === 'failed' ? answer.text : 'It could not be sent. Reload the page.'
  const reference = answer.status === 'failed' && answer.reference !== null ? ` Reference ${answer.reference}.` : ''
  return { trouble: `${isolate(file.name)}: ${text}${reference}` }
}

/** A stranger's name inside of a sentence of ours (Unicode bidi, FSI and PDI). */
function isolate(name: string): string {
  return `\u2068${toFileName(name)}\u2069`
}
