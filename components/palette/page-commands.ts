/** What the open page offers, read from itself: it shows only what its person may. */

/** The key after `g`, and the page that it leads to. */
type GoTo = { key: string; label: string; link: HTMLElement }

/** The pages of the frame (`data-go`), in its order. */
export function listGoTos(): GoTo[] {
  return [...document.querySelectorAll<HTMLElement>('#sidebar [data-go]')].map((link) => ({
    key: link.dataset.go ?? '',
    label: link.title.replace(/ \( g . \)$/, ''),
    link,
  }))
}

export type Command = { label: string; hint: string; run: () => void }

/** Pages, and what can be done on this one (`data-verb`). */
export function listCommands(): Command[] {
  const pages = listGoTos().map(({ key, label, link }) => ({
    label,
    hint: `g ${key}`,
    run: () => link.click(),
  }))
  const seen = new Set<string>()
  const verbs = [...document.querySelectorAll<HTMLElement>('[data-verb]')].flatMap((element) => {
    const label = element.dataset.verb ?? ''
    if (seen.has(label) || !element.checkVisibility()) return []
    seen.add(label)
    return [{ label, hint: element.getAttribute('aria-keyshortcuts') ?? '', run: () => act(element) }]
  })
  return [...verbs, ...pages]
}

function act(element: HTMLElement): void {
  element.focus()
  if (!(element instanceof HTMLInputElement)) element.click()
}

/** The page that is open. */
export function readHere(): { path: string; search: URLSearchParams } {
  return { path: location.pathname, search: new URLSearchParams(location.search) }
}

/** The frame's address of the groups: it has the scope that one is in. */
export function readScoped(): string {
  return document.querySelector<HTMLAnchorElement>('#sidebar [data-go="g"]')?.href ?? location.origin
}
