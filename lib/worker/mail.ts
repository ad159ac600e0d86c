/** The one door to mail: nodemailer over the configured SMTP server. */
import { isLoopbackHost, type Settings } from '#lib/env.ts'

type Mail = { to: string[]; subject: string; text: string }

export type Mailer = {
  /** Resolves when the server accepts the mail for a recipient. @throws Error for none. */
  send: (mail: Mail) => Promise<void>
  close: () => void
}

/**
 * A mailer with short deadlines: mail is a courtesy and never holds up the worker. `smtps:` speaks
 * TLS from the start. `smtp:` upgrades if the server offers it, and must when a password goes to
 * another machine.
 */
export function createMailer({ smtpUrl, from }: NonNullable<Settings['mail']>): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl.reveal())
  const secure = protocol === 'smtps:'
  const options = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && username !== '' && !isLoopbackHost(hostname),
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
    send: async ({ to, subject, text }) => {
      transport ??= open()
      await (await transport).sendMail({ to, subject, text })
    },
    close: () => void transport?.then((opened) => opened.close()),
  }
}
