/** Places in the refresh protocol where a test can stop or kill the process; no-ops otherwise. */
export const REFRESH_FAILPOINTS = [
  'before-intent',
  'after-intent',
  'after-send',
  'after-receive',
  'after-spool',
  'after-commit',
] as const

type RefreshPlace = (typeof REFRESH_FAILPOINTS)[number]

/** Called at each place. The protocol waits for it, except at `after-send`. */
export type RefreshFailpoint = (place: RefreshPlace) => void | Promise<void>
