import { buttonClass } from '#components/primitives/button.ts'
import type { ConnectionSummary } from '#lib/connections/model.ts'
import { toAccountName } from './connection-state.ts'

/** An integration enabled again in the marketplace may belong to an existing connection. */
export function ReconnectList({ connections }: { connections: ConnectionSummary[] }) {
  const waiting = connections.filter(({ state }) => state === 'needs_reconnect' || state === 'disconnected')
  if (waiting.length === 0) return null
  return (
    <section aria-labelledby="again">
      <h2 id="again" className="font-medium">
        Or enabled again?
      </h2>
      <p className="mb-1 text-ink2">Reconnecting keeps the account’s history and data here.</p>
      <ul className="border-t">
        {waiting.slice(0, 20).map((connection) => (
          <li key={connection.id} className="flex items-center justify-between gap-3 border-b py-1.5">
            <bdi dir="auto" className="min-w-0 truncate">
              {toAccountName(connection)}
            </bdi>
            <form method="post" action="/api/connections/connect">
              <input type="hidden" name="connection" value={connection.id} />
              <button
                type="submit"
                aria-label={`Reconnect: ${toAccountName(connection)}`}
                className={buttonClass({ size: 'small' })}
              >
                Reconnect
              </button>
            </form>
          </li>
        ))}
      </ul>
    </section>
  )
}
