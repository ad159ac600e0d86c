/** A record or view that the palette leads to. */
export type FoundPlace = {
  /** What it is: `trip`. */
  kind: string
  label: string
  /** What tells it from others of its name. */
  note?: string
  href: string
}
