/**
 * For tests: a whole SMTP server on loopback, with or without TLS, that keeps every mail as its
 * recipient reads it, and refuses, puts off or keeps waiting whom it is told to.
 */
import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = Email & { recipients: string[]; raw: string; isOverTls: boolean }

/** What it does with the next mails: the code that it answers a recipient, or the whole, with. */
type Mood = { recipient?: number; data?: number; hangs?: boolean }

export type MailServer = {
  mails: ReceivedMail[]
  mood: Mood
  /** How many mails were begun: recipients named. */
  begun: () => number
  url: string
  port: number
  /** Ends every connection at once. */
  drop: () => void
  close: () => Promise<void>
}

const SAID = 'no such user here'

/** `offersTls`: with a certificate that nobody signed. */
export async function serveMail({ offersTls = false } = {}): Promise<MailServer> {
  let begun = 0
  const served: Pick<MailServer, 'mails' | 'mood'> = { mails: [], mood: {} }
  const refusal = (code: number | undefined) =>
    code === undefined ? null : Object.assign(new Error(SAID), { responseCode: code })
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (_given, _session, answer) => answer(refusal(535)),
    disabledCommands: offersTls ? [] : ['STARTTLS'],
    onRcptTo: (_address, _session, answer) => {
      begun += 1
      answer(refusal(served.mood.recipient))
    },
    onData: (stream, session, answer) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', async () => {
        const raw = Buffer.concat(chunks)
        const refused = refusal(served.mood.data)
        if (refused === null) {
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          served.mails.push({ ...(await PostalMime.parse(raw)), recipients, raw: `${raw}`, isOverTls: session.secure })
        }
        if (!served.mood.hangs) answer(refused)
      })
    },
  })
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  // a client that ends in the middle is a test's
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return Object.assign(served, {
    begun: () => begun,
    url: `smtp://127.0.0.1:${port}`,
    port,
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  })
}
