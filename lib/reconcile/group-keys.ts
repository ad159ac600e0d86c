/** What lines can be grouped by, alone or nested, in the words that the URL and the CSV use. */
export const GROUP_KEYS = ['trip', 'cost_center', 'vertical'] as const

export type GroupKey = (typeof GROUP_KEYS)[number]

/**
 * Whether a text names a group key; anything from a URL goes through here before it comes near SQL.
 */
export function isGroupKey(text: string): text is GroupKey {
  return (GROUP_KEYS as readonly string[]).includes(text)
}
