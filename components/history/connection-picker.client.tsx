'use client'

import { useState } from 'react'
import { OptionList } from '#components/filters/option-list.client.tsx'
import { chipClass } from '#components/primitives/chip.ts'
import { Plus } from '#components/primitives/icons.tsx'
import { Popover } from '#components/primitives/popover.client.tsx'
import { useNavigate } from '#components/query/navigate.client.tsx'

/** `href` toggles the connection. */
export type ConnectionChoice = { id: string; name: string; isOn: boolean; href: string }

/**
 * A chip that opens a searchable list of connections, for organizations with too many for chips.
 */
export function ConnectionPicker({ choices }: { choices: ConnectionChoice[] }) {
  const { navigate } = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const options = choices
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ id, name, isOn, href }) => ({ key: id, label: name, isChecked: isOn, choose: () => navigate(href) }))
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={(next) => {
        setOpen(next)
        setText('')
      }}
      trigger={
        <button type="button" className={chipClass({ look: 'add' })}>
          <Plus size={12} strokeWidth={2.25} className="mr-1" />
          Connection
        </button>
      }
      role="dialog"
      label="Connections"
      width={288}
    >
      <OptionList
        label="Connections"
        placeholder="Search connections"
        text={text}
        onText={setText}
        options={options}
        empty="No connection has this name."
      />
    </Popover>
  )
}
