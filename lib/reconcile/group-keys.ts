/** The keys to group lines by, alone or nested, as the URL and the CSV spell them. */
export const GROUP_KEYS = ['trip', 'cost_center', 'vertical'] as const

export type GroupKey = (typeof GROUP_KEYS)[number]

/** Whether a text names a group key; guards SQL against anything from a URL. */
export function isGroupKey(text: string): text is GroupKey {
  return (GROUP_KEYS as readonly string[]).includes(text)
}
