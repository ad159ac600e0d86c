import { buttonClass } from '#components/primitives/button.ts'
import { toAddress } from '#components/query/address.ts'
import type { ListName } from '#components/query/lists.ts'
import type { SavedView } from '#lib/views/list-views.ts'

/** The list as it is shown, and the view that it came from. */
type ViewForm = { list: ListName; search: string; view: SavedView | null; version: number | undefined }

const ID = 'view-box'

type ViewBoxProps = ViewForm & { mayChange: boolean; mayShare: boolean }

/** Keeps what is shown as a view, and changes the one that it came from. The browser opens it. */
export function ViewBox({ mayChange, mayShare, ...form }: ViewBoxProps) {
  const { list, search, view } = form
  const own = view?.isTeam ? '/api/views/team' : '/api/views'
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        aria-haspopup="dialog"
        data-verb={view === null ? 'Save what is shown as a view' : 'Save, rename or delete the view'}
        className={buttonClass({ look: 'quiet', size: 'small' })}
      >
        {view === null ? 'Save as a view…' : 'View…'}
      </button>
      <div id={ID} popover="auto" role="dialog" aria-label="Views of this list" className="view-box">
        <form method="post" action="/api/views">
          <HiddenFields {...form} />
          <label>
            Name of the view
            <input
              name="name"
              required
              maxLength={80}
              defaultValue={view?.name}
              autoComplete="off"
              className="field"
              autoFocus
            />
          </label>
          <p className="view-verbs">
            <button type="submit" name="action" value="add" className={buttonClass({ look: 'primary' })}>
              Save as my view
            </button>
            {mayShare && (
              <button type="submit" name="action" value="add" formAction="/api/views/team" className={buttonClass()}>
                Save for everybody
              </button>
            )}
            {mayChange && (
              <button type="submit" name="action" value="rename" formAction={own} className={buttonClass()}>
                Rename
              </button>
            )}
          </p>
          {view !== null && (
            <p className="view-verbs">
              <button
                type="submit"
                name="action"
                value={view.isDefault ? 'open-plain' : 'open-with'}
                formNoValidate
                className={buttonClass()}
              >
                {view.isDefault ? 'No longer open the list with it' : 'Open the list with it'}
              </button>
            </p>
          )}
          {view !== null && mayChange && (
            <details>
              <summary>Delete…</summary>
              <button
                type="submit"
                name="action"
                value="remove"
                formAction={own}
                formNoValidate
                className={buttonClass()}
              >
                {view.isTeam ? `Delete “${view.name}” for everybody` : `Delete “${view.name}”`}
              </button>
            </details>
          )}
        </form>
        <p className="view-verbs">
          <a href={toAddress(`/${list}`, search)} data-copy="" className={buttonClass()}>
            Copy link
          </a>
        </p>
      </div>
    </>
  )
}

export function HiddenFields({ list, search, view, version }: ViewForm) {
  return (
    <>
      <input type="hidden" name="list" value={list} />
      <input type="hidden" name="search" value={search} />
      {view !== null && (
        <>
          <input type="hidden" name="view" value={view.id} />
          <input type="hidden" name="version" value={version} />
        </>
      )}
    </>
  )
}
