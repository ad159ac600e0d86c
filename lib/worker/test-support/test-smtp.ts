/** For tests: a mail server that keeps every mail (RFC 5321, the few commands a client sends). */
import net from 'node:net'

export type TestMail = { recipients: string[]; text: string }

export async function serveSmtp(): Promise<{ mails: TestMail[]; url: string; close: () => void }> {
  const mails: TestMail[] = []
  const server = net.createServer((socket) => {
    let mail = { recipients: [] as string[], text: '' }
    let isData = false
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isData && line === '.') {
          mails.push(mail)
          mail = { recipients: [], text: '' }
          isData = false
          socket.write('250 taken\r\n')
        } else if (isData) mail.text += `${line}\n`
        else if (line === 'DATA') {
          isData = true
          socket.write('354 go on\r\n')
        } else {
          const [, recipient] = /^RCPT TO:<(.*)>/.exec(line) ?? []
          if (recipient) mail.recipients.push(recipient)
          socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return { mails, url, close: () => void server.close() }
}
