import { setTimeout as delay } from 'node:timers/promises'
import { CommandError } from '../run/command-error.ts'
import { packageFile, preloadUrl } from '../run/project-root.ts'
import { lastLinesOf } from './log-file.ts'
import { type ManagedProcess, startProcess } from './managed-process.ts'

export type WebOptions = {
  host: string
  port: number
  isDevelopment: boolean
  /** The whole environment; it must not hold the keys that open tokens. */
  env: NodeJS.ProcessEnv
  logFile: string
}

const START_WITHIN_MS = 60_000

/** Starts the web server; `waitForWeb` waits for it. */
export function startWebProcess({ host, port, isDevelopment, env, logFile }: WebOptions): ManagedProcess {
  const next = [packageFile('next/dist/bin/next'), isDevelopment ? 'dev' : 'start', '-H', host, '-p', String(port)]
  const preloads = isDevelopment ? [REQUEST_DOOR] : [REQUEST_DOOR, ...productionPreloads(env)]
  return startProcess({
    args: [...preloads.flatMap((file) => ['--import', preloadUrl(file)]), ...next],
    env,
    logFile,
    stopWithinMs: 10_000,
  })
}

const REQUEST_DOOR = 'request-door.mjs'

/**
 * Loaded before Next.js, in this order; development mode needs Next.js's own listening and
 * printing.
 */
function productionPreloads({ APP_URL }: NodeJS.ProcessEnv): string[] {
  const isHttps = APP_URL?.startsWith('https:')
  return ['console-lines.mjs', `web-preload.mjs?https=${isHttps ? 1 : 0}`]
}

/**
 * Waits until the web server answers a page. @throws CommandError with its last output when it ends
 * or takes a minute.
 */
export async function waitForWeb(
  web: ManagedProcess,
  { host, port, logFile }: WebOptions,
  signal: AbortSignal,
): Promise<void> {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  const address = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/sign-in`
  let ended: string | undefined
  web.exited.then((how) => {
    ended = how
  })
  for (const deadline = Date.now() + START_WITHIN_MS; ; await delay(50)) {
    signal.throwIfAborted()
    const status = await statusOf(address)
    if (status !== null && status < 500) return
    if (ended === undefined && Date.now() < deadline) continue
    const reason = ended ?? (status === null ? 'it does not answer' : `it answers with status ${status}`)
    throw new CommandError(`The web server did not start (${reason}); its log is ${logFile}.`, {
      details: lastLinesOf(logFile),
    })
  }
}

async function statusOf(address: string): Promise<number | null> {
  try {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await response.body?.cancel()
    return response.status
  } catch {
    return null // not listening yet
  }
}
