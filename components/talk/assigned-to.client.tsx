'use client'

import { type ReactNode, useState } from 'react'
import { buttonClass } from '#components/primitives/button.ts'
import { Menu } from '#components/primitives/menu.client.tsx'
import type { MenuItem } from '#components/primitives/menu-box.client.tsx'
import { formatDay } from '#lib/reconcile/format.ts'
import { formatMoment } from '#lib/reconcile/moment.ts'
import type { Person, Subject } from '#lib/talk/model.ts'
import { DueDay } from './due-day.client.tsx'
import { Initials } from './initials.tsx'
import { sendTalk, type Talk, toBody, useTalk } from './use-talk.client.tsx'

/** Who has something, and a menu that gives it to somebody. Asks for both by itself. */
export function AssignedTo({ subject }: { subject: Subject }) {
  const { text, state, reload } = useTalk(subject)
  // the comments beside it say what is wrong
  if (state.status === 'missing' || state.status === 'failed') return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is a form's
    <div role="group" aria-label="Assigned to" className="mt-4 min-h-7 text-[13px]">
      {state.status === 'ready' && <Assigned key={text} talk={state.value} subject={subject} reload={reload} />}
    </div>
  )
}

type AssignedProps = { talk: Talk; subject: Subject; reload: () => Promise<void> }

function Assigned({ talk, subject, reload }: AssignedProps) {
  const { assignment, people, me, may } = talk
  const [said, setSaid] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const seen = assignment?.id ?? null

  const change = async (wish: object, words: string) => {
    setFailure(null)
    const refused = await sendTalk('/api/talk/assign', { ...toBody(subject), seen, ...wish })
    setFailure(refused)
    // also where somebody else was first
    await reload()
    if (refused === null) setSaid(words)
  }
  const give = (person: Person, name: string): MenuItem => ({
    label: name,
    choose: () => void change({ action: 'assign', person: person.id }, `Given to ${name}.`),
  })
  const able = people.filter(({ id, mayHave }) => mayHave && id !== assignment?.personId)
  const own = able.filter(({ id }) => id === me).map((person) => give(person, 'Me'))
  const others = able.filter(({ id }) => id !== me).map((person, _, all) => give(person, toOwnName(person, all)))
  const ends: MenuItem[] = [
    { label: 'Done', isApart: true, choose: () => void change({ action: 'done' }, 'It is done.') },
    { label: 'Nobody', choose: () => void change({ action: 'unassign' }, 'Nobody has it any more.') },
  ]

  return (
    <>
      <div className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-2">
        <span className="py-0.5 text-ink3">Assigned to</span>
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
          {assignment === null ? (
            <span className="text-ink2">nobody</span>
          ) : (
            <Holder talk={talk} assignment={assignment}>
              {assignment.dueOn !== null && !may.assign && <span>· due {formatDay(assignment.dueOn)}</span>}
            </Holder>
          )}
          {may.assign && (
            <Menu
              label="Give it to"
              width={220}
              trigger={
                <button type="button" className={buttonClass({ size: 'small' })}>
                  {assignment === null ? 'Assign…' : 'Change…'}
                </button>
              }
              items={[...own, ...others, ...(assignment === null ? [] : ends)]}
            />
          )}
          {may.assign && assignment !== null && (
            <DueDay
              key={`${assignment.id} ${assignment.dueOn}`}
              day={assignment.dueOn}
              set={(due) => change({ action: 'assign', person: assignment.personId, due }, 'The day is set.')}
            />
          )}
        </div>
      </div>
      {failure !== null && (
        <p role="alert" className="mt-1 text-[12.5px] text-bad">
          {failure}
        </p>
      )}
      <p role="status" className="sr-only">
        {said}
      </p>
    </>
  )
}

type HolderProps = { talk: Talk; assignment: NonNullable<Talk['assignment']>; children: ReactNode }

function Holder({ talk, assignment, children }: HolderProps) {
  const { personId, personName, initials, byName, at, isHere } = assignment
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={`Given by ${byName}, ${formatMoment(at)}`}>
      <Initials text={initials} isMe={personId === talk.me} />
      <bdi className="min-w-0 truncate">{personId === talk.me ? 'you' : personName}</bdi>
      {!isHere && <span className="text-warn">cannot sign in any more</span>}
      {children}
    </span>
  )
}

/** Two people of one name are told apart. */
function toOwnName({ id, name }: Person, all: Person[]): string {
  return all.some((each) => each.id !== id && each.name === name) ? `${name} (${id.slice(0, 4)})` : name
}
