'use client'

import { chipClass } from '#components/primitives/chip.ts'
import { Plus } from '#components/primitives/icons.tsx'
import { Opener } from '#components/primitives/opener.client.tsx'
import type { ConnectionChoice } from './connection-box.client.tsx'

const load = async () => (await import('./connection-box.client.tsx')).ConnectionBox

/**
 * A chip that opens a searchable list of connections, for organizations with too many for chips.
 */
export function ConnectionPicker({ choices }: { choices: ConnectionChoice[] }) {
  return (
    <Opener
      trigger={
        <button type="button" className={chipClass({ look: 'add' })}>
          <Plus size={12} className="mr-1" />
          Connection
        </button>
      }
      role="dialog"
      load={load}
      own={{ choices }}
    />
  )
}
