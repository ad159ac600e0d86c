import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const START_WITHIN_MS = 10_000

/** Whether a program listens at a port of this machine before it ends, or it takes too long. */
export async function waitForPort(port: number, program: ChildProcess): Promise<boolean> {
  for (const deadline = Date.now() + START_WITHIN_MS; ; await delay(50)) {
    if (await isListening(port)) return true
    if (program.exitCode !== null || Date.now() > deadline) return false
  }
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false // not yet
  } finally {
    socket.destroy()
  }
}

/** Asks a program to stop, and waits until it has. */
export async function stopProgram(program: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (program.exitCode !== null || !program.kill(signal)) return
  await once(program, 'exit')
}
