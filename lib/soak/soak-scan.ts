/**
 * `npm run soak -- scan [--minutes 15]`: Wapiti, a black-box scanner of web applications (Debian's
 * package wapiti), against the production web server, signed in as an admin and as our own pages,
 * with everything that it finds by following links. Nothing may be found.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError } from '#lib/cli/run/command-error.ts'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { say } from '#lib/cli/run/terminal.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { startOwnWeb } from '#lib/world/own-web.ts'
import { openOwnWorld } from '#lib/world/own-world.ts'
import { startScanDoor } from './scan-door.ts'

/**
 * All that work without a server of the scanner's makers: `ssrf` and `xxe` wait for a call from
 * outside, `nikto` and `wapp` fetch lists.
 */
const MODULES = [
  'backup',
  'blindsql',
  'cookieflags',
  'crlf',
  'csp',
  'exec',
  'file',
  'htaccess',
  'http_headers',
  'methods',
  'permanentxss',
  'redirect',
  'shellshock',
  'sql',
  'xss',
]

/** What it says of a server that is right, and why. */
const EXPECTED: { info: RegExp; because: string }[] = [
  { info: /Strict-Transport-Security/, because: 'sent over https alone; this server speaks http on loopback' },
  { info: /X-XSS-Protection/, because: 'browsers dropped it; the content policy stands in its place' },
  { info: /Secure flag is not set/, because: 'set over https alone' },
]

type Report = {
  vulnerabilities: Record<string, { method: string; path: string; info: string; parameter: string | null }[]>
  anomalies: Record<string, { method: string; path: string; info: string; parameter: string | null }[]>
}

/** @throws CommandError naming what was found. */
export async function soakScan(lifetime: Lifetime, args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { minutes: { type: 'string' } } })
  const minutes = Number(values.minutes ?? 15)
  if (!(minutes > 0)) throw new CommandError('Usage: npm run soak -- scan [--minutes 15]')
  const world = await openOwnWorld(lifetime, { account: 'nordlicht', pageSize: 50, workerFlags: [] })
  const web = await startOwnWeb(lifetime, world)
  const { user, cookie } = await web.signIn('scanner@example.com', world.organizationId)
  await withSystemSql((sql) => sql(`update app_user set role = 'admin' where id = $1`, [user.userId]))
  const door = await startScanDoor(lifetime, web.url, cookie)
  const report = join(world.folder, 'scan.json')
  say(`Scanning ${web.url} for about ${minutes} minutes`)
  const options = {
    url: `${door.url}/lines`,
    scope: 'domain',
    module: MODULES.join(','),
    'max-scan-time': `${minutes * 20}`,
    // of each module
    'max-attack-time': `${Math.ceil((minutes * 40) / MODULES.length)}`,
    'max-links-per-page': '60',
    'max-files-per-dir': '40',
    depth: '4',
    'store-session': world.folder,
    format: 'json',
    output: report,
    verbose: '0',
  }
  const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  await runScanner(lifetime, [...flags, '--flush-session'])
  const { vulnerabilities, anomalies } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const found = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, list]) =>
    list.map(({ method, path, info, parameter }) => `${kind}: ${method} ${path} ${parameter ?? ''}: ${info}`),
  )
  const unexpected = found.filter((text) => !EXPECTED.some(({ info }) => info.test(text))).concat([...door.failures])
  const replies = Object.fromEntries([...door.statuses].sort(([one], [other]) => one - other))
  say(JSON.stringify({ soak: 'scan', replies, expected: found.length, found: unexpected.length }))
  if ((door.statuses.get(200) ?? 0) < FEWEST_PAGES)
    throw new CommandError('The scanner hardly read a page: it proves nothing. Give it more minutes.')
  if (unexpected.length > 0)
    throw new CommandError(`The scanner found ${unexpected.length}.`, { details: unexpected.join('\n') })
}

/** A scan that was signed out, or ended early, reads less. */
const FEWEST_PAGES = 500

/** @throws CommandError when it is not installed, or fails. */
function runScanner({ signal }: Lifetime, args: string[]): Promise<void> {
  const child = spawn('wapiti', args, { stdio: ['ignore', 'pipe', 'pipe'], signal })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      reject(
        signal.aborted ? error : new CommandError("This needs the scanner Wapiti: install Debian's package wapiti."),
      ),
    )
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new CommandError('The scanner failed.', { details: output.slice(-2000) })),
    )
  })
}
