import { requireKnownRing } from '#lib/connections/tokens/key-canary.ts'
import { endPool, switchPool } from '#lib/db/pool.ts'
import { type JwkSet, settings as readSettings } from '#lib/env.ts'
import { buildWebApp } from './builds/web-build.ts'
import { provideAdmin } from './processes/first-admin.ts'
import { judgeSettings } from './processes/judge-settings.ts'
import { lastLinesOf } from './processes/log-file.ts'
import { logFileOf, type Prepared, prepare, toWebEnvironment } from './processes/prepare.ts'
import { partnerVariables } from './processes/running-sandbox.ts'
import { startWebProcess, waitForWeb } from './processes/web-process.ts'
import { CommandError } from './run/command-error.ts'
import { provideWebKeys, type WebKeys } from './run/keys.ts'
import type { Lifetime } from './run/lifetime.ts'
import { describeListening, requireFreePort } from './run/port-check.ts'
import { runStep } from './run/steps.ts'
import { say } from './run/terminal.ts'
import { stopped } from './start.ts'

/** This database's workers must be able to open what the web server seals. @throws SettingsError */
async function checkRing({ databaseUrls, keys }: Prepared<WebKeys>): Promise<void> {
  await runStep('Keys', async () => {
    await switchPool(databaseUrls.web)
    await requireKnownRing(JSON.parse(keys.tokenPublicKeys) as JwkSet).finally(endPool)
    return undefined
  })
}

/** The web server alone; any number of them may share one database. */
export async function web(lifetime: Lifetime): Promise<void> {
  const settings = readSettings()
  await judgeSettings(settings, ['web'], 'production')
  await requireFreePort(settings.port, 'npm run web')
  const partner = await partnerVariables(settings)
  const prepared = await prepare(lifetime, ['web'], provideWebKeys)
  await checkRing(prepared)
  const sayAccess = await provideAdmin(prepared)
  await runStep('Web app', () => buildWebApp(lifetime.signal))
  const options = {
    host: settings.listenHost,
    port: settings.port,
    isDevelopment: false,
    env: toWebEnvironment(prepared, partner, 'production'),
    logFile: logFileOf(settings, 'web'),
  }
  const server = startWebProcess(options)
  lifetime.onEnd('Web server', server.stop)
  await runStep('Web server', async () => {
    await waitForWeb(server, options, lifetime.signal)
    return undefined
  })
  say(`\nReady: ${settings.appUrl}`)
  const listening = describeListening(settings)
  if (listening) say(listening)
  sayAccess()
  const how = await Promise.race([stopped(lifetime.signal), server.exited])
  if (how)
    throw new CommandError(`The web server stopped unexpectedly (${how}); its log is ${options.logFile}.`, {
      details: lastLinesOf(options.logFile),
    })
}
