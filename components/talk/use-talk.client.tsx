'use client'

import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import type { UserId } from '#lib/ids.ts'
import type { Subject, Thread } from '#lib/talk/model.ts'

/** `me`: the reader; `may`: what they may do. */
export type Talk = Thread & { me: UserId; may: { comment: boolean; assign: boolean } }
type TalkState = { status: 'loading' } | Answer<Talk>

/** What parts of one page show of a subject: asked for once, and gone with the last of them. */
type Shared = { state: TalkState; openers: number; controller: AbortController; listeners: Set<() => void> }

const LOADING: TalkState = { status: 'loading' }
const shared = new Map<string, Shared>()

function toSubjectText({ kind, connectionId, key }: Subject): string {
  return new URLSearchParams({ kind, key, ...(connectionId !== null && { connection: connectionId }) }).toString()
}

function open(text: string): Shared {
  const known = shared.get(text)
  if (known !== undefined) return known
  const made = { state: LOADING, openers: 0, controller: new AbortController(), listeners: new Set<() => void>() }
  shared.set(text, made)
  return made
}

/** What was there stays until the answer comes, and a failure does not take it away. */
async function load(text: string): Promise<void> {
  const own = open(text)
  const state = await readAnswer<Talk>(`/api/talk?${text}`, own.controller.signal)
  if (own.controller.signal.aborted) return
  if (state.status === 'failed' && own.state.status === 'ready') return
  own.state = state
  for (const listener of own.listeners) listener()
}

/** What is said about a subject, and who has it. `reload` asks again, after a change. */
export function useTalk(subject: Subject): { text: string; state: TalkState; reload: () => Promise<void> } {
  const text = toSubjectText(subject)
  const subscribe = useCallback(
    (listener: () => void) => {
      const own = open(text)
      own.listeners.add(listener)
      return () => {
        own.listeners.delete(listener)
      }
    },
    [text],
  )
  const state = useSyncExternalStore(
    subscribe,
    () => shared.get(text)?.state ?? LOADING,
    () => LOADING,
  )
  useEffect(() => {
    const own = open(text)
    own.openers += 1
    if (own.openers === 1) void load(text)
    return () => {
      own.openers -= 1
      if (own.openers > 0) return
      own.controller.abort()
      if (shared.get(text) === own) shared.delete(text)
    }
  }, [text])
  return { text, state, reload: () => load(text) }
}

/** Sends a change. Null when it is done; else what to tell the person. Never throws. */
export async function sendTalk(address: string, body: object): Promise<string | null> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await readAnswer(address, undefined, init)
  if (answer.status === 'ready') return null
  if (answer.status === 'missing') return 'What this is about is gone. Reload the page.'
  return answer.text + (answer.reference === null ? '' : ` Reference ${answer.reference}.`)
}

/** A subject as a request's body names it. */
export function toBody({ kind, key, connectionId }: Subject) {
  return { kind, key, connection: connectionId }
}
