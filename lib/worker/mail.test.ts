import { afterEach, expect, test } from 'vitest'
import { isLoopbackHost } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { createMailer, judgeFailure, type Mailer } from './mail.ts'
import { type MailServer, serveMail } from './test-support/test-mail-server.ts'

const FROM = 'Desk <desk@example.com>'
const MAIL = { to: ['ana@example.com'], subject: 'News', text: 'One' }

const toClose: { close: () => unknown }[] = []
afterEach(async () => {
  for (const each of toClose.splice(0).reverse()) await each.close()
})

async function serve(options?: { offersTls: boolean }): Promise<MailServer> {
  const server = await serveMail(options)
  toClose.push(server)
  return server
}

function mailerOf(url: string, isTlsOptional?: boolean): Mailer {
  const mailer = createMailer({ smtpUrl: new Secret(url), from: FROM, isTlsOptional })
  toClose.push(mailer)
  return mailer
}

/** This machine by an address that is none of a loopback interface. */
const elsewhere = ({ port }: MailServer) => `smtp://0.0.0.0:${port}`

const failureOf = (sent: Promise<void>) => sent.then(() => 'sent', judgeFailure)

test('nothing is said in the clear to another machine, unless that is allowed and no password goes there', async () => {
  expect(isLoopbackHost('0.0.0.0')).toBe(false)
  const server = await serve()
  expect(await failureOf(mailerOf(elsewhere(server)).send(MAIL))).toMatchObject({ kind: 'later' })
  const withPassword = elsewhere(server).replace('//', '//ana:secret@')
  expect(await failureOf(mailerOf(withPassword, true).send(MAIL))).toMatchObject({ kind: 'later' })
  expect(server.begun()).toBe(0)
  await mailerOf(elsewhere(server), true).send(MAIL)
  await mailerOf(server.url).send(MAIL)
  expect(server.mails.map(({ isOverTls }) => isOverTls)).toEqual([false, false])
})

test('a certificate that nobody signed is not taken', async () => {
  const server = await serve({ offersTls: true })
  expect(await failureOf(mailerOf(elsewhere(server)).send(MAIL))).toMatchObject({ kind: 'later' })
  expect(server.begun()).toBe(0)
})

test('an address is one recipient, whatever stands in it', async () => {
  const server = await serve()
  const odd = 'ana@example.com, eve@example.org'
  await expect(mailerOf(server.url).send({ ...MAIL, to: [odd] })).rejects.toThrow()
  await mailerOf(server.url)
    .send({ ...MAIL, to: ['"eve@example.org"@example.com'] })
    .catch(() => undefined)
  expect(server.mails.flatMap(({ recipients }) => recipients)).not.toContain('eve@example.org')
  expect(server.mails.flatMap(({ recipients }) => recipients)).not.toContain('ana@example.com')
})

test('a field of the head begins no other one', async () => {
  const server = await serve()
  const send = (value: string) => mailerOf(server.url).send({ ...MAIL, headers: { 'List-Unsubscribe': value } })
  await expect(send('<https://desk.example>\r\nBcc: eve@example.com')).rejects.toThrow('one line')
  await send('<https://desk.example/off?key=a.b.c>')
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]?.raw).toMatch(/^List-Unsubscribe: <https:\/\/desk\.example\/off\?key=a\.b\.c>\r$/m)
})

test('a password that the server does not take is the operator’s to mend, and in no words of ours', async () => {
  const server = await serve()
  const sent = mailerOf(server.url.replace('//', '//desk:canary-password@')).send(MAIL)
  const thrown = await sent.then(
    () => null,
    (error: Error) => error,
  )
  expect(judgeFailure(thrown)).toEqual({ kind: 'later', reply: expect.stringContaining('535') })
  expect(`${thrown?.stack}${JSON.stringify(thrown)}`).not.toContain('canary')
})

test.each([
  ['refused for good', { recipient: 550 }, 'refused'],
  ['put off', { recipient: 450 }, 'later'],
  ['refused as a whole', { data: 554 }, 'refused'],
  ['put off as a whole', { data: 451 }, 'later'],
] as const)('a mail that is %s is known as that, with the server’s words', async (_, mood, kind) => {
  const server = await serve()
  server.mood = mood
  expect(await failureOf(mailerOf(server.url).send(MAIL))).toEqual({
    kind,
    reply: expect.stringContaining('no such user here'),
  })
})

test('a server that is not there has taken nothing, and of a lost connection nobody knows', async () => {
  expect(await failureOf(mailerOf('smtp://127.0.0.1:1').send(MAIL))).toEqual({ kind: 'later', reply: null })
  const server = await serve()
  server.mood = { hangs: true }
  const sent = failureOf(mailerOf(server.url).send(MAIL))
  await expect.poll(() => server.mails.length).toBe(1)
  await server.drop()
  expect(await sent).toEqual({ kind: 'unknown', reply: null })
})
