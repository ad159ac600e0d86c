/** True for text that PostgreSQL takes and gives back unchanged: no NUL, no half of a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/**
 * As `isStorable`, for all text in what a body was parsed to, names of members too. Without calling
 * itself: a body may be nested as deeply as it is long.
 */
export function isStorableValue(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (typeof each === 'string' && !isStorable(each)) return false
    if (typeof each === 'object' && each !== null) for (const pair of Object.entries(each)) left.push(...pair)
  }
  return true
}
