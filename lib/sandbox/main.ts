import { parseArgs } from 'node:util'
import type { SandboxOptions } from './options.ts'
import { startSandbox } from './server.ts'

/**
 * Runs the sandbox as a process. Takes settings from flags, or as one JSON object on standard input
 * with `--stdin` (better for secrets: flags show in the process list). Prints one JSON line when
 * ready.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      stdin: { type: 'boolean' },
      port: { type: 'string' },
      host: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret': { type: 'string' },
      'redirect-uri': { type: 'string', multiple: true },
      scopes: { type: 'string' },
      'app-name': { type: 'string' },
      size: { type: 'string' },
      lines: { type: 'string' },
      seed: { type: 'string' },
      'control-key': { type: 'string' },
      'scim-api-key': { type: 'string' },
      grace: { type: 'string' },
      'grace-period-seconds': { type: 'string' },
      'state-file': { type: 'string' },
    },
  })
  const fromStdin: Partial<SandboxOptions> = values.stdin ? JSON.parse(await readStdin()) : {}
  const flags = {
    port: toNumber(values.port),
    host: values.host,
    clientId: values['client-id'],
    clientSecret: values['client-secret'],
    redirectUris: values['redirect-uri'],
    scopes: values.scopes?.split(' '),
    appName: values['app-name'],
    size: values.lines ? { kind: 'huge', lines: Number(values.lines) } : values.size,
    seed: toNumber(values.seed),
    controlKey: values['control-key'],
    scimApiKey: values['scim-api-key'],
    grace: values.grace,
    gracePeriodSeconds: toNumber(values['grace-period-seconds']),
    stateFile: values['state-file'],
  }
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  const options = { redirectUris: [], ...fromStdin, ...given } as unknown as SandboxOptions
  const sandbox = await startSandbox(options)
  const { url, port, baseUrl, authUrl, scimBaseUrl } = sandbox
  const { hasOtherData } = sandbox.state()
  process.stdout.write(`${JSON.stringify({ ready: true, url, port, baseUrl, authUrl, scimBaseUrl, hasOtherData })}\n`)
  const stop = () => {
    sandbox.close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

main().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${JSON.stringify({ ready: false, code: error.code ?? error.name, error: error.message })}\n`)
  process.exit(1)
})
