/**
 * Ends a command with one sentence for the person at the terminal, below `details` (a log's last
 * lines).
 */
export class CommandError extends Error {
  readonly exitCode: number
  readonly details: string
  constructor(sentence: string, options: { exitCode?: number; details?: string; cause?: unknown } = {}) {
    super(sentence, { cause: options.cause })
    this.name = 'CommandError'
    this.exitCode = options.exitCode ?? 1
    this.details = options.details ?? ''
  }
}
