import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError } from './run/command-error.ts'

type Terminal = { input: NodeJS.ReadStream; output: NodeJS.WritableStream }

/**
 * A chosen password: typed twice and hidden at a terminal, otherwise the one line of standard
 * input. Never an argument, which other users of the machine and the shell history could read.
 * @throws CommandError when the two differ, or there is not exactly one line.
 */
export async function askPassword(
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
  signal?: AbortSignal,
): Promise<string> {
  if (!input.isTTY) return readLine(input)
  const first = await askHidden('Password: ', { input, output }, signal)
  if (first !== (await askHidden('The same again: ', { input, output }, signal)))
    throw new CommandError('The two passwords differ. Nothing was changed.')
  return first
}

async function askHidden(question: string, { input, output }: Terminal, signal?: AbortSignal): Promise<string> {
  output.write(question)
  // swallows the echo of what is typed
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input, output: nowhere, terminal: true })
  try {
    const stopped = new AbortController()
    terminal.once('SIGINT', () => stopped.abort())
    return await terminal.question('', { signal: AbortSignal.any([stopped.signal, ...(signal ? [signal] : [])]) })
  } catch {
    throw new CommandError('Stopped. Nothing was changed.', { exitCode: 130 })
  } finally {
    terminal.close()
    output.write('\n')
  }
}

async function readLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  for await (const chunk of input) text += chunk
  const line = text.replace(/\r?\n$/, '')
  if (line === '' || /[\r\n]/.test(line))
    throw new CommandError('--ask needs a terminal, or the password as the one line of standard input.')
  return line
}
