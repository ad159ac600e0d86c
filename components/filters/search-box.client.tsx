'use client'

import { useEffect, useRef, useState } from 'react'
import { Kbd } from '#components/primitives/kbd.tsx'
import { isTyping } from '#components/query/is-typing.ts'

type SearchBoxProps = { hint: string; text: string; onSearch: (text: string) => void }

const DELAY_MS = 180

/** Searches while the user types. `/` focuses it; Escape clears and leaves it. */
export function SearchBox({ hint, text, onSearch }: SearchBoxProps) {
  const [typed, setTyped] = useState(text)
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    // an answer that arrives while the user types must not overwrite the text
    if (document.activeElement !== input.current) setTyped(text)
  }, [text])

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      clearTimeout(timer.current)
    }
  }, [])

  const search = (value: string, delayMs: number) => {
    setTyped(value)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(value.trim()), delayMs)
  }

  return (
    <search className="search-box">
      <input
        ref={input}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={hint}
        aria-keyshortcuts="/"
        data-verb="Search this list"
        placeholder={hint}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => search(event.target.value, DELAY_MS)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') search(typed, 0)
          if (event.key !== 'Escape') return
          if (typed !== '') search('', 0)
          input.current?.blur()
        }}
      />
      <span>
        <Kbd>/</Kbd>
      </span>
    </search>
  )
}
