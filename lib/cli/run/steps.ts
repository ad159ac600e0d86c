import { dim, formatDuration, green, red, say } from './terminal.ts'

const REPORT_EVERY_MS = 10_000

/** Says what the step is doing right now ("migration 3 of 7"). */
export type ReportProgress = (text: string) => void

/**
 * Runs one named step. Shows what it does and for how long; then a tick with its time and, if any,
 * the text that `work` returns. A file or pipe gets only the result, and a line every ten seconds.
 * Rethrows what `work` throws, after a cross.
 */
export async function runStep(
  name: string,
  work: (progress: ReportProgress) => Promise<string | undefined>,
): Promise<void> {
  const begin = Date.now()
  const elapsed = () => formatDuration(Date.now() - begin)
  let progress = ''
  const isTerminal = process.stdout.isTTY === true
  const redraw = () => process.stdout.write(`\r\u001b[2K  … ${name}  ${dim(`${elapsed()}  ${progress}`)}`)
  const timer = setInterval(
    () => (isTerminal ? redraw() : say(`  … ${name}  ${elapsed()}  ${progress}`.trimEnd())),
    isTerminal ? 200 : REPORT_EVERY_MS,
  )
  const finish = (mark: string, detail: string) => {
    clearInterval(timer)
    if (isTerminal) process.stdout.write('\r\u001b[2K')
    say(`  ${mark} ${name}  ${dim(`${elapsed()}${detail ? `  ${detail}` : ''}`)}`)
  }
  if (isTerminal) redraw()
  try {
    const detail = await work((text) => {
      progress = text
    })
    finish(green('✓'), detail ?? '')
  } catch (error) {
    finish(red('✗'), '')
    throw error
  }
}
