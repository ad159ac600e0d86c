'use client'

import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { classNames } from '#components/class-names.ts'
import { buttonClass } from '#components/primitives/button.ts'
import { plural } from '#components/text/plural.ts'
import { MOST_CHARACTERS, MOST_MENTIONS, type Person, type Quote } from '#lib/talk/model.ts'
import { AttachButton, ChosenFiles } from './chosen-files.client.tsx'
import { Initials } from './initials.tsx'
import { findBegunName, findByBeginning, findMentions } from './named-people.ts'
import { QuotedFigure } from './quoted-figure.tsx'
import { useFiles } from './use-files.client.tsx'

type ComposerProps = {
  label: string
  /** The words of the button that sends. */
  verb: string
  people: Person[]
  /** What the field begins with, and whom that names. */
  begun: { text: string; mentions: string[] }
  /** A figure that can be quoted. */
  quote?: Quote | undefined
  /** Whether files can go with it. */
  mayAttach?: boolean
  /** Null when it is sent; else what to tell the person, whose words stay in the field. */
  send: (words: { text: string; mentions: string[]; quote: Quote | null; files: string[] }) => Promise<string | null>
  onText?: (text: string) => void
  /** Where there is something to go back to. */
  onCancel?: () => void
}

const MOST_OPTIONS = 6
/** From here on the field says how many characters are left. */
const FEW_LEFT = 200

/**
 * A field for a comment. `@` opens a list of people: arrows move, Enter chooses, Escape closes.
 * Files come by a button, dropped on it, or pasted.
 */
export function Composer(props: ComposerProps) {
  const { label, verb, people, begun, quote, mayAttach = false, send, onText, onCancel } = props
  const id = useId()
  const [text, setText] = useState(begun.text)
  const [chosen, setChosen] = useState(begun.mentions)
  const [isQuoting, setQuoting] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [closedAt, setClosedAt] = useState<number | null>(null)
  const [wanted, setActive] = useState(0)
  const [isOver, setOver] = useState(false)
  const files = useFiles()
  const field = useRef<HTMLTextAreaElement>(null)
  const next = useRef<number | null>(null)

  const name = caret === null ? null : findBegunName(text, caret)
  const options =
    name === null || name.at === closedAt ? [] : findByBeginning(people, name.begun).slice(0, MOST_OPTIONS)
  const active = Math.min(wanted, Math.max(0, options.length - 1))
  const left = MOST_CHARACTERS - text.trim().length

  // the caret goes behind a name that was put in
  useLayoutEffect(() => {
    if (next.current === null) return
    field.current?.setSelectionRange(next.current, next.current)
    next.current = null
  })
  useEffect(() => {
    if (onCancel !== undefined) field.current?.focus()
  }, [onCancel])
  const isListed = options.length > 0
  useEffect(() => {
    if (isListed) document.getElementById(`${id}-list`)?.scrollIntoView({ block: 'nearest' })
  }, [isListed, id])

  const change = (changed: string) => {
    setText(changed)
    onText?.(changed)
  }
  const choose = (person: Person) => {
    if (name === null || caret === null) return
    const before = `${text.slice(0, name.at)}@${person.name} `
    change(before + text.slice(caret).replace(/^ /, ''))
    setChosen([...chosen, person.id])
    setCaret(before.length)
    next.current = before.length
    field.current?.focus()
  }
  const submit = async () => {
    const words = text.trim()
    if (isSending) return
    if (words === '' && files.chosen.length === 0) {
      setFailure('There is nothing to send yet: write something first.')
      return
    }
    const mentions = findMentions(words, people, chosen)
    const trouble =
      left < 0
        ? `${plural(-left, 'character')} too many: shorten it, or write a second comment.`
        : mentions.length > MOST_MENTIONS
          ? `It names ${mentions.length} people, and may name ${MOST_MENTIONS}: take some out.`
          : null
    setFailure(trouble)
    if (trouble !== null) return
    setSending(true)
    const sent = await files.send()
    const refused =
      'trouble' in sent
        ? sent.trouble
        : await send({ text: words, mentions, quote: isQuoting && quote ? quote : null, files: sent.ids })
    setSending(false)
    setFailure(refused)
    if (refused !== null) return
    setText('')
    files.clear()
    setChosen([])
    setQuoting(false)
    setCaret(null)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const act = toAction(event)
    if (act === null) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const toAction = ({ key, ctrlKey, metaKey, shiftKey }: KeyboardEvent): (() => void) | null => {
    if (key === 'Enter' && (ctrlKey || metaKey)) return () => void submit()
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const option = options[active]
    if (option === undefined) return key === 'Escape' && onCancel ? onCancel : null
    if (step !== 0) return () => setActive((active + step + options.length) % options.length)
    if ((key === 'Enter' || key === 'Tab') && !shiftKey) return () => choose(option)
    if (key === 'Escape') return () => setClosedAt(name?.at ?? null)
    return null
  }
  const attach = async (added: Iterable<File>) => {
    setFailure(await files.add(added))
    field.current?.focus()
  }
  const onPaste = (event: ClipboardEvent) => {
    // cells of a sheet are pasted as their text, and not as the picture that comes along
    if (event.clipboardData.files.length === 0 || event.clipboardData.types.includes('text/plain')) return
    event.preventDefault()
    void attach([...event.clipboardData.files])
  }
  const dropping = {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
    },
    onDrop: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(false)
      void attach([...event.dataTransfer.files])
    },
  }
  const noteCaret = () => setCaret(field.current?.selectionEnd ?? null)

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      {...(mayAttach && dropping)}
      className={classNames('flex flex-col gap-1.5 rounded-md', isOver && 'outline-2 outline-accent outline-dashed')}
    >
      <textarea
        ref={field}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={isListed ? `${id}-list` : undefined}
        aria-activedescendant={isListed ? `${id}-${active}` : undefined}
        aria-describedby={`${id}-help`}
        aria-invalid={failure !== null || undefined}
        dir="auto"
        rows={2}
        placeholder={isOver ? 'Drop it here' : 'Write a comment; @ names a person'}
        value={text}
        onChange={(event) => {
          change(event.target.value)
          setCaret(event.target.selectionEnd)
          setClosedAt(null)
          setActive(0)
          setFailure(null)
        }}
        onKeyDown={onKeyDown}
        onPaste={mayAttach ? onPaste : undefined}
        onKeyUp={noteCaret}
        onPointerUp={noteCaret}
        onBlur={() => setCaret(null)}
        className="field-sizing-content max-h-60 min-h-14 w-full resize-y rounded-md border border-line2 bg-bg px-2 py-1.5 text-[13px] leading-5 placeholder:text-ink3 aria-invalid:border-bad max-md:text-[16px]"
      />
      {isListed && (
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="People"
          className="rounded-lg border border-line2 bg-bg p-1 shadow-[0_8px_30px_var(--lift)]"
        >
          {options.map((person, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys
            <div
              key={person.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              // the field keeps the focus
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => choose(person)}
              className={classNames(
                'flex min-h-8 items-center gap-2 rounded-md px-2 text-[13px]',
                index === active ? 'bg-hover' : 'hover:bg-hover',
              )}
            >
              <Initials text={person.initials} isMe={false} />
              <bdi className="min-w-0 truncate">{person.name}</bdi>
            </div>
          ))}
        </div>
      )}
      <span id={`${id}-help`} role="status" className="sr-only">
        {isListed ? `${plural(options.length, 'person', 'people')}: arrows move, Enter chooses.` : ''}
      </span>
      {left < FEW_LEFT && (
        <p className={classNames('text-[12px]', left < 0 ? 'text-bad' : 'text-ink3')}>
          {left < 0 ? `${plural(-left, 'character')} too many` : `${plural(left, 'character')} left`}
        </p>
      )}
      {failure !== null && (
        <p role="alert" className="text-[12.5px] text-bad">
          {failure}
        </p>
      )}
      <ChosenFiles files={files.chosen} remove={files.remove} />
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" aria-disabled={isSending} title={`${verb} ( Ctrl+Enter )`} className={buttonClass()}>
          {isSending ? 'Sending…' : verb}
        </button>
        {mayAttach && <AttachButton choose={(added) => void attach(added)} />}
        {onCancel && (
          <button type="button" onClick={onCancel} className={buttonClass({ look: 'quiet' })}>
            Cancel
          </button>
        )}
        {quote && (
          <label className="flex items-center gap-1.5 text-[12.5px] text-ink2">
            <input type="checkbox" checked={isQuoting} onChange={(event) => setQuoting(event.target.checked)} />
            <span>
              Quote <QuotedFigure quote={quote} />
            </span>
          </label>
        )}
      </div>
    </form>
  )
}
