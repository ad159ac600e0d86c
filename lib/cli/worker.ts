import { settings as readSettings } from '#lib/env.ts'
import { judgeSettings } from './processes/judge-settings.ts'
import { logFileOf, prepare, toWorkerEnvironment } from './processes/prepare.ts'
import { partnerVariables } from './processes/running-sandbox.ts'
import { keepWorkerRunning } from './processes/worker-process.ts'
import { provideWorkerKeys } from './run/keys.ts'
import type { Lifetime } from './run/lifetime.ts'
import { say } from './run/terminal.ts'
import { stopped } from './start.ts'

/** The worker alone; any number of them may share one database. */
export async function worker(lifetime: Lifetime): Promise<void> {
  const settings = readSettings()
  await judgeSettings(settings, ['worker'], 'production')
  const partner = await partnerVariables(settings)
  const prepared = await prepare(lifetime, ['worker'], provideWorkerKeys)
  const logFile = logFileOf(settings, 'worker')
  const toEnvironment = () =>
    toWorkerEnvironment({ ...prepared, keys: provideWorkerKeys(settings) }, partner, 'production')
  const kept = keepWorkerRunning(toEnvironment, { logFile })
  lifetime.onEnd('Worker', kept.stop)
  say(`\nThe worker runs; its log is ${logFile}. Ctrl-C stops it.`)
  await Promise.race([stopped(lifetime.signal), kept.failed])
}
