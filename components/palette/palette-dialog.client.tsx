'use client'

import { useState } from 'react'
import { OptionList } from '#components/filters/option-list.client.tsx'
import { DialogBox } from '#components/primitives/dialog-box.client.tsx'
import { useNavigate } from '#components/query/navigate.client.tsx'
import { useAsked } from '#components/query/use-asked.client.tsx'
import { foldText } from '#lib/ledger/query/fold-text.ts'
import { listCommands, readHere, readScoped } from './page-commands.ts'
import type { FoundPlace } from './places.ts'
import { listTypedPlaces } from './typed-places.ts'

/** One field for everything: what this page does, other pages, views, records, and a search. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [commands] = useState(listCommands)
  const [typedPlaces] = useState(() => listTypedPlaces(readHere(), readScoped(), Date.now()))
  const { navigate } = useNavigate('page')
  const typed = text.trim()
  const { answer, note } = useAsked(`/api/palette?${new URLSearchParams({ q: typed })}`, (body) => body as FoundPlace[])
  const words = foldText(typed).split(/\s+/)
  const fits = (said: string) => words.every((word) => foldText(said).includes(word))

  return (
    <DialogBox label="Go to" onClose={onClose} className="palette">
      {(close) => {
        const go = (href: string) => () => {
          close()
          navigate(href)
        }
        const own = commands
          .filter(({ label }) => fits(label))
          .map(({ run, ...command }) => ({
            ...command,
            key: `own ${command.label}`,
            choose: () => {
              close()
              run()
            },
          }))
        // those of an earlier text stay until the next have come, as far as they fit
        const places = [...(typed === '' ? [] : typedPlaces), ...(answer ?? [])]
          .filter((place) => fits(`${place.label} ${place.note ?? ''} ${place.label.replaceAll('-', '')}`))
          .map(({ kind, label, note: said, href }) => ({
            key: `${kind} ${href}`,
            label,
            hint: said ? `${said} · ${kind}` : kind,
            choose: go(href),
          }))
        const search = new URLSearchParams({ q: typed, period: 'all' })
        const searches = ['lines', 'invoices'].map((list) => ({
          key: `search ${list}`,
          label: `Search ${list} for “${typed}”`,
          choose: go(`/${list}?${search}`),
        }))
        return (
          <OptionList
            label="Go to"
            placeholder="Page, invoice, trip, name, verb"
            text={text}
            onText={setText}
            options={[...own, ...places, ...(typed === '' ? [] : searches)]}
            empty={note ?? 'Nothing here has that'}
          />
        )
      }}
    </DialogBox>
  )
}
