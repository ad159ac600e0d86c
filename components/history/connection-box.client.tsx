'use client'

import { useState } from 'react'
import { OptionList } from '#components/filters/option-list.client.tsx'
import type { Opened } from '#components/primitives/opener.client.tsx'
import { PopoverBox } from '#components/primitives/popover-box.client.tsx'
import { useNavigate } from '#components/query/navigate.client.tsx'

/** `href` toggles the connection. */
export type ConnectionChoice = { id: string; name: string; isOn: boolean; href: string }

/** A searchable list of connections. */
export function ConnectionBox({ choices, onOpenChange, ...opened }: Opened & { choices: ConnectionChoice[] }) {
  const { navigate } = useNavigate()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const options = choices
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map(({ id, name, isOn, href }) => ({ key: id, label: name, isChecked: isOn, choose: () => navigate(href) }))
  return (
    <PopoverBox
      {...opened}
      onOpenChange={(next) => {
        onOpenChange(next)
        setText('')
      }}
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
    </PopoverBox>
  )
}
