/**
 * Places of the refresh protocol at which a test can stop or kill the process; nothing happens
 * there otherwise.
 */
export const REFRESH_FAILPOINTS = [
  'before-intent',
  'after-intent',
  'after-send',
  'after-receive',
  'after-spool',
  'after-commit',
] as const

type RefreshPlace = (typeof REFRESH_FAILPOINTS)[number]

/**
 * Called at each place, in order; the protocol waits for it, except at `after-send`, where the
 * answer is on its way.
 */
export type RefreshFailpoint = (place: RefreshPlace) => void | Promise<void>
