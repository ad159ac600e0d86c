/** Marks and colors for the terminal; plain text for a file, a pipe, or with NO_COLOR set. */
const hasColors = process.stdout.isTTY === true && process.stdout.hasColors?.() === true

function paint(code: number): (text: string) => string {
  return (text) => (hasColors ? `\u001b[${code}m${text}\u001b[0m` : text)
}

export const green = paint(32)
export const red = paint(31)
export const dim = paint(2)
export const bold = paint(1)

/** Writes one line to standard output. */
export function say(text = ''): void {
  process.stdout.write(`${text}\n`)
}

/** A duration as people read it: "0.3 s", "12 s", "2 min 5 s". */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}
