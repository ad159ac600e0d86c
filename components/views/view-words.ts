/** What a list says after a change of its views: `?said=` or `?error=`. */
const SAID: Record<string, string> = {
  'view-add': 'The view is saved.',
  'view-save': 'The view is saved as the list is now.',
  'view-rename': 'The view has its new name.',
  'view-remove': 'The view is deleted. The list is as it was.',
  'view-open-with': 'From now on the list opens with this view.',
  'view-open-plain': 'From now on the list opens without a view.',
}

const ERRORS: Record<string, string> = {
  'view-changed': 'Somebody else saved this view after you opened it. Nothing of theirs was changed.',
  'view-gone': 'Somebody deleted this view. The list is as it was; save it as another view to keep it.',
  'view-taken': 'There is a view of this name already. Choose another name.',
  'view-full': 'There are as many views of this list as there may be. Delete one first.',
}

export type ViewNotice = { isBad: boolean; text: string }

/** The notice of an address; null when it has none about views. */
export function toViewNotice({ said, error }: Record<string, string | string[] | undefined>): ViewNotice | null {
  const read = (words: Record<string, string>, key: unknown) =>
    typeof key === 'string' && Object.hasOwn(words, key) ? (words[key] as string) : null
  const bad = read(ERRORS, error)
  const text = bad ?? read(SAID, said)
  return text === null ? null : { isBad: bad !== null, text }
}
