import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { settings as readSettings } from '#lib/env.ts'
import { requireDataSize } from '#lib/sandbox/options.ts'
import { buildWebApp } from './builds/web-build.ts'
import { provideAdmin } from './processes/first-admin.ts'
import { judgeSettings } from './processes/judge-settings.ts'
import { lastLinesOf } from './processes/log-file.ts'
import type { ManagedProcess } from './processes/managed-process.ts'
import { logFileOf, type Prepared, prepare, toWebEnvironment, toWorkerEnvironment } from './processes/prepare.ts'
import {
  provideSandboxSecrets,
  recordSandboxAddresses,
  type SandboxSize,
  startSandboxProcess,
  toPartnerVariables,
} from './processes/sandbox-process.ts'
import { startWebProcess, waitForWeb } from './processes/web-process.ts'
import { keepWorkerRunning } from './processes/worker-process.ts'
import { CommandError } from './run/command-error.ts'
import { occupyDataDir, provideDataDir } from './run/data-dir.ts'
import { provideKeys, provideWorkerKeys } from './run/keys.ts'
import type { Lifetime } from './run/lifetime.ts'
import { describeListening, requireFreePort } from './run/port-check.ts'
import { runStep } from './run/steps.ts'
import { bold, dim, say } from './run/terminal.ts'

/**
 * Everything on this machine, for use: database, sandbox (unless a partner is configured), worker
 * and built web app.
 */
export function start(lifetime: Lifetime, args: string[]): Promise<void> {
  return startEverything(lifetime, args, false)
}

/** Like `start`, but builds the web app on request and rebuilds it when a file changes. */
export function dev(lifetime: Lifetime, args: string[]): Promise<void> {
  return startEverything(lifetime, args, true)
}

async function startEverything(lifetime: Lifetime, args: string[], isDevelopment: boolean): Promise<void> {
  const begin = Date.now()
  const size = parseSize(args)
  const settings = readSettings()
  const mode = isDevelopment ? 'development' : 'production'
  await judgeSettings(settings, ['web', 'worker'], mode)
  provideDataDir(settings.dataDir)
  await requireFreePort(settings.port, isDevelopment ? 'npm run dev' : 'npm start')
  const free = occupyDataDir(settings.dataDir)
  lifetime.onEnd('Data directory', async () => free())
  say(bold('Tieout'))
  const prepared = await prepare(lifetime, ['web', 'worker'], provideKeys)
  const sayAccess = await provideAdmin(prepared)
  if (!isDevelopment) await runStep('Web app', () => buildWebApp(lifetime.signal))
  const failures: Promise<never>[] = []
  const partner = settings.partner ? {} : await startSandbox(prepared, size, lifetime, failures)
  lifetime.signal.throwIfAborted()

  const toEnvironment = () => toWorkerEnvironment({ ...prepared, keys: provideWorkerKeys(settings) }, partner, mode)
  const worker = keepWorkerRunning(toEnvironment, { logFile: logFileOf(settings, 'worker') })
  lifetime.onEnd('Worker', worker.stop)
  failures.push(worker.failed)
  const options = { host: settings.listenHost, port: settings.port, isDevelopment }
  const webOptions = {
    ...options,
    env: toWebEnvironment(prepared, partner, mode),
    logFile: logFileOf(settings, 'web'),
  }
  await runStep('Web server', async () => {
    const web = startWebProcess(webOptions)
    lifetime.onEnd('Web server', web.stop)
    await Promise.race([waitForWeb(web, webOptions, lifetime.signal), worker.failed])
    failures.push(failWhenEnded('The web server', web, webOptions.logFile, lifetime.signal))
    return undefined
  })

  say(`\nReady in ${((Date.now() - begin) / 1000).toFixed(1)} s:  ${bold(settings.appUrl)}`)
  sayAccess()
  const listening = describeListening(settings)
  if (listening) say(listening)
  if (!settings.partner)
    say(dim('The travel platform is the sandbox that comes with the program (no PARTNER_ variable is set).'))
  say(dim(`Logs are in ${settings.dataDir}/logs. Ctrl-C stops everything.`))
  await Promise.race([stopped(lifetime.signal), ...failures])
}

const OTHER_DATA =
  '    The sandbox has other data than when its accounts were connected, or may have: the next sync of everything shows\n' +
  '    changes that nobody made. With another DATA_DIR everything begins anew.'

async function startSandbox(
  prepared: Prepared,
  size: SandboxSize,
  lifetime: Lifetime,
  failures: Promise<never>[],
): Promise<Record<string, string>> {
  const { settings } = prepared
  let variables: Record<string, string> = {}
  let hasOtherData = false
  await runStep('Sandbox partner', async () => {
    const secrets = await provideSandboxSecrets(settings.dataDir)
    const logFile = logFileOf(settings, 'sandbox')
    const sandbox = await startSandboxProcess(secrets, {
      ...size,
      appUrl: settings.appUrl,
      logFile,
      stateFile: join(settings.dataDir, 'sandbox-state.json'),
    })
    lifetime.onEnd('Sandbox partner', sandbox.process.stop)
    failures.push(failWhenEnded('The sandbox partner', sandbox.process, logFile, lifetime.signal))
    recordSandboxAddresses(settings.dataDir, sandbox)
    variables = toPartnerVariables(sandbox, secrets)
    hasOtherData = sandbox.hasOtherData
    return sandbox.url
  })
  if (hasOtherData) say(OTHER_DATA)
  return variables
}

function parseSize(args: string[]): SandboxSize {
  try {
    const { values } = parseArgs({
      args,
      options: { sandbox: { type: 'string' }, 'sandbox-lines': { type: 'string' } },
    })
    const { sandbox: size, 'sandbox-lines': lines } = values
    requireDataSize(lines === undefined ? size : { kind: 'huge', lines: Number(lines) })
    return { size, lines }
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : String(error), { exitCode: 2, cause: error })
  }
}

/** Rejects when the process ends on its own. */
function failWhenEnded(name: string, process: ManagedProcess, logFile: string, signal: AbortSignal): Promise<never> {
  const failed = process.exited.then((how) => {
    if (signal.aborted) return new Promise<never>(() => undefined)
    throw new CommandError(`${name} stopped unexpectedly (${how}); its log is ${logFile}.`, {
      details: lastLinesOf(logFile),
    })
  })
  failed.catch(() => undefined) // whoever awaits it gets the rejection
  return failed
}

/** Resolves when the lifetime is told to end. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
