/** The one door to mail: nodemailer over the configured SMTP server. */
import { isLoopbackHost, type Settings } from '#lib/env.ts'
import { cutText, toHarmlessLine } from '#lib/reconcile/dispute/plain-text.ts'

type Mail = {
  to: string[]
  subject: string
  text: string
  html?: string
  /** Fields of its head besides, of printable ASCII. */
  headers?: Record<string, string>
  /** Without angle brackets; nodemailer makes one up otherwise. */
  messageId?: string
}

export type Mailer = {
  /** Resolves when the server accepts the mail for a recipient. @throws Error for none. */
  send: (mail: Mail) => Promise<void>
  close: () => void
}

/**
 * A mailer with short deadlines: mail is a courtesy and never holds up the worker. `smtps:` speaks
 * TLS from the start. `smtp:` to another machine has to upgrade before anything is said: without a
 * password it may be allowed not to (`SMTP_TLS`), and then upgrades if the server offers it.
 */
export function createMailer({ smtpUrl, from, isTlsOptional = false }: NonNullable<Settings['mail']>): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl.reveal())
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopbackHost(hostname) && !(isTlsOptional && username === ''),
    auth: username === '' ? undefined : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    // templates and attachments from disk or network are never wanted
    disableFileAccess: true,
    disableUrlAccess: true,
  }
  // with the first mail: it would take a tenth of the memory of a worker that sends none
  const open = async () => (await import('nodemailer')).createTransport(options, { from })
  let transport: ReturnType<typeof open> | null = null
  return {
    send: async ({ to, headers = {}, ...mail }) => {
      transport ??= open()
      const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, toField(value)]))
      // an address as a text may be read as several
      const recipients = to.map((address) => ({ name: '', address }))
      await (await transport).sendMail({ ...mail, headers: fields, to: recipients })
    },
    close: () => void transport?.then((opened) => opened.close()),
  }
}

/** As it stands: nothing of it is encoded, and nothing begins another field. */
function toField(value: string): { prepared: true; value: string } {
  if (!/^[ -~]*$/.test(value)) throw new Error('A field of a mail is one line of printable ASCII.')
  return { prepared: true, value }
}

/** What became of a mail that could not be sent, and the server's words, if it said any. */
export type Failure = { kind: 'refused' | 'later' | 'unknown'; reply: string | null }

/** The most that is kept of a server's words. */
const LONGEST_REPLY = 300

/** What nodemailer and Node say of a connection on which no mail was begun. */
const BEFORE_ANYTHING = /^(Connection timeout|Greeting never received)|certificate|altnames/i

type SmtpError = Error & { code?: string; responseCode?: number; response?: string; syscall?: string; command?: string }

/**
 * Whether a mail that failed may be sent again. `refused`: the server took the whole of it for good
 * (RFC 5321, 4.2.1: 5yz). `later`: it certainly has not taken it: it said so (4yz), did not let us
 * in, or was not there. `unknown`: the connection was lost, and nobody knows what it has.
 */
export function judgeFailure(thrown: unknown): Failure {
  const { code, responseCode, response, syscall, command, message } = thrown as SmtpError
  const reply = response === undefined ? null : cutText(toHarmlessLine(response), LONGEST_REPLY)
  if (code === 'EAUTH' || code === 'EDNS' || code === 'ETLS' || command === 'STARTTLS') return { kind: 'later', reply }
  if (responseCode !== undefined) return { kind: responseCode >= 500 ? 'refused' : 'later', reply }
  if (syscall === 'connect' || BEFORE_ANYTHING.test(message)) return { kind: 'later', reply }
  // nodemailer itself finds fault with an address or the mail, before it says anything
  return { kind: command === 'API' ? 'refused' : 'unknown', reply }
}
