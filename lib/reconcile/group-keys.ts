/** The keys to group lines by, alone or nested, as the URL and the CSV spell them. */
export const GROUP_KEYS = ['trip', 'cost_center', 'vertical'] as const

export type GroupKey = (typeof GROUP_KEYS)[number]
