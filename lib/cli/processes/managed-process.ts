import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { preloadUrl, projectRoot } from '../run/project-root.ts'
import { keepLogSmall } from './log-file.ts'

export type ProcessOptions = {
  /** Arguments of Node: options, then the program and its arguments. */
  args: string[]
  env: NodeJS.ProcessEnv
  /** Receives standard output and error by appending; kept small. */
  logFile: string
  /** Its standard input; empty by default. */
  input?: string
  /** How long it may take to stop by itself. */
  stopWithinMs: number
}

export type ManagedProcess = {
  pid: number
  /** How it ended: "exit code 1", "signal SIGKILL". */
  exited: Promise<string>
  /**
   * Asks it to stop, and kills it when that takes too long, or at once when forced. Resolves when
   * its whole group has ended.
   */
  stop: (isForced: boolean) => Promise<void>
}

/**
 * Starts a Node program in a new process group, so Ctrl-C reaches it only through `stop`. It stops
 * by itself when this process ends.
 */
export function startProcess({ args, env, logFile, input, stopWithinMs }: ProcessOptions): ManagedProcess {
  const log = openSync(logFile, 'a')
  const child = spawn(
    process.execPath,
    ['--import', preloadUrl(`exit-with-parent.mjs?command=${process.pid}`), ...args],
    {
      cwd: projectRoot,
      env,
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', log, log, 'ipc'],
    },
  )
  closeSync(log)
  const leaveLog = keepLogSmall(logFile)
  child.stdin?.end(input)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ? `signal ${signal}` : `exit code ${code}`))
  })
  void exited.then(leaveLog)
  return { pid: child.pid ?? 0, exited, stop: (isForced) => stop(child, exited, isForced ? 0 : stopWithinMs) }
}

async function stop(child: ChildProcess, exited: Promise<string>, withinMs: number): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && withinMs > 0) {
    child.kill('SIGTERM')
    const timer = new AbortController()
    await Promise.race([exited, delay(withinMs, undefined, { signal: timer.signal })])
    timer.abort()
  }
  killGroup(child)
  if (child.pid !== undefined) await exited
}

/**
 * Signals a child that leads its process group, and everything it has started. Does nothing when
 * all have ended.
 */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // nobody left in the group
  }
}
