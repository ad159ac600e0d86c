import { describeMoment } from './moment-words.ts'

/** A moment of a bridge in the reader's zone, which the page names once. Null is now. */
export function BridgeMoment({ at }: { at: string | null }) {
  const words = describeMoment(at)
  return at === null ? words : <time dateTime={at}>{words}</time>
}
