/** In place of an invoice's lines while there are none. */
export function NoLinesYet() {
  return (
    <p className="border-t px-5 py-8 text-[13px] text-ink2">
      No lines of this invoice have arrived. They may still come if a sync is under way.
    </p>
  )
}
