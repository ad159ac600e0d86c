import { statfs } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { requireKnownRing } from '#lib/connections/tokens/key-canary.ts'
import { countKeyUse } from '#lib/connections/tokens/key-use.ts'
import { isLoopbackHost, type Settings } from '#lib/env.ts'
import { partnerRequest } from '#lib/partner/http/http.ts'
import { type Finding, ok, problem, toWords, warning } from './finding.ts'
import { describeSkew } from './look-at-database.ts'

const GIGABYTE = 1024 ** 3
/** Below the first a disk is nearly full; below the second it soon will be. */
const ROOM = { problem: GIGABYTE / 4, warning: 2 * GIGABYTE }
/** A platform's clock that is further off than this makes tokens look expired, or not yet valid. */
const MAX_PARTNER_SKEW_MS = 60_000
const PATIENCE_MS = 10_000

/** Looks at what the settings alone tell. */
export function lookAtSettings(settings: Settings): Finding[] {
  const { appUrl, listenHost, partner, clientAddress } = settings
  const url = new URL(appUrl)
  const findings = [ok('Configuration', `is understood; people open ${appUrl}`)]
  if (!isLoopbackHost(url.hostname) && clientAddress === null)
    findings.push(
      warning(
        'Proxy',
        'no header says who connected: everybody behind the proxy shares one count of sign-ins',
        'Set CLIENT_ADDRESS_HEADER; see docs/operations.md, "Behind a TLS proxy".',
      ),
    )
  if (!isLoopbackHost(listenHost))
    findings.push(warning('Web server', `listens on ${listenHost}`, 'Let nothing but the proxy reach its port.'))
  findings.push(
    partner === null
      ? warning('Platform', 'none is configured: `npm start` brings the sandbox', 'Set the PARTNER_ variables.')
      : ok('Platform', `is ${partner.name} at ${new URL(partner.baseUrl).host}`),
  )
  return findings
}

/** Whether the disks of the data folder, the spool and the files of comments have room. */
export async function lookAtDisks({ dataDir, spoolDir, attachmentsDir }: Settings): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [about, folder] of [
    ['Disk of the data', dataDir],
    ['Disk of the spool', spoolDir],
    ...(attachmentsDir === null ? [] : [['Disk of the attachments', attachmentsDir] as const]),
  ] as const) {
    const room = await readRoom(folder)
    const text = `${(room / GIGABYTE).toFixed(1)} GB are free`
    const next = 'A full disk stops the database, and keeps renewed tokens from being saved: make room.'
    findings.push(
      room < ROOM.problem
        ? problem(about, text, next)
        : room < ROOM.warning
          ? warning(about, text, next)
          : ok(about, text),
    )
  }
  return findings
}

/** The room in a folder, or in the nearest one above that exists. */
async function readRoom(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (thrown) {
    const above = dirname(folder)
    if (above === folder) throw thrown
    return readRoom(above)
  }
}

/**
 * Whether what is sealed can be opened: with private keys each one in use is in the ring; with
 * public ones alone, workers know the first.
 */
export async function lookAtKeys({ publicKeys, privateKeys }: RingsAtHand): Promise<Finding[]> {
  try {
    if (privateKeys !== null) {
      const ring = new Set(privateKeys.reveal().keys.map(({ kid }) => kid))
      const missing = (await countKeyUse()).map(({ keyId }) => keyId).filter((keyId) => !ring.has(keyId))
      return missing.length === 0
        ? [ok('Keys', `open everything that is sealed (${ring.size} in the ring)`)]
        : [problem('Keys', `${missing.join(', ')} is missing`, 'See docs/operations.md, "A key is lost".')]
    }
    if (publicKeys === null) return [warning('Keys', 'none are configured or made yet')]
    await requireKnownRing(publicKeys)
    return [ok('Keys', 'are known to the workers (public ones alone, as a web server should have)')]
  } catch (thrown) {
    return [problem('Keys', toWords(thrown))]
  }
}

export type RingsAtHand = { publicKeys: Settings['tokenPublicKeys']; privateKeys: Settings['tokenPrivateKeys'] }

/** Whether the platform's addresses answer the program's own HTTP, and what their clock says. */
export async function lookAtPlatform({ partner }: Settings): Promise<Finding[]> {
  if (partner === null) return []
  const addresses = [
    ...new Set([partner.baseUrl, partner.authUrl, partner.scimBaseUrl].filter((each) => each !== null)),
  ]
  return (await Promise.all(addresses.map(lookAtAddress))).flat()
}

async function lookAtAddress(address: string): Promise<Finding[]> {
  const { host } = new URL(address)
  const begin = Date.now()
  try {
    const { status, headers } = await partnerRequest({
      method: 'GET',
      url: `${address}/`,
      headers: {},
      deadlineMs: PATIENCE_MS,
      maxBytes: 1_000_000,
    })
    const date = Date.parse(headers.date ?? '')
    const answers = ok('Platform', `${host} answers (${status})`)
    // the header counts whole seconds
    const reading = { begin: begin - 1000, end: Date.now(), allowed: MAX_PARTNER_SKEW_MS }
    return Number.isNaN(date) ? [answers] : [answers, describeSkew(`${host}’s clock`, date, reading)]
  } catch (thrown) {
    // a redirect is an answer too
    if ((thrown as { kind?: string }).kind === 'redirect') return [ok('Platform', `${host} answers (a redirect)`)]
    return [
      problem(
        'Platform',
        `${host} does not answer: ${toWords(thrown)}`,
        'Check the PARTNER_ addresses and the way out.',
      ),
    ]
  }
}

/** Whether the mail server takes connections. */
export async function lookAtMail({ mail }: Settings): Promise<Finding[]> {
  if (mail === null) return [ok('Mail', 'is not set up; nothing is mailed')]
  const { hostname, port, protocol } = new URL(mail.smtpUrl.reveal())
  const host = hostname.replace(/^\[|\]$/g, '')
  const number = port === '' ? (protocol === 'smtps:' ? 465 : 587) : Number(port)
  const trouble = await new Promise<string | null>((resolve) => {
    const socket = connect({ host, port: number, timeout: PATIENCE_MS })
    const end = (text: string | null) => {
      socket.destroy()
      resolve(text)
    }
    socket.once('connect', () => end(null))
    socket.once('timeout', () => end('it takes too long'))
    socket.once('error', (error) => end(toWords(error)))
  })
  return [
    trouble === null
      ? ok('Mail', `${host} takes connections`)
      : problem('Mail', `${host} takes no connection: ${trouble}`, 'Check SMTP_URL.'),
  ]
}
