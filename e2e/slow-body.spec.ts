import { connect } from 'node:net'
import { expect, test } from './fixtures.ts'
import type { App } from './start-app.ts'

type End = { answer: string; seconds: number }

/**
 * Sends a form at one byte a second, and waits until the server has answered and closed the socket.
 */
function drip(app: App, path: string, headers: Record<string, string> = {}): Promise<End> {
  const begin = performance.now()
  // from a network of its own: another file may have used up the budget of the usual one
  const socket = connect({ port: Number(new URL(app.appUrl).port), host: '127.0.0.1', localAddress: '127.0.0.41' })
  const all = {
    host: new URL(app.appUrl).host,
    origin: app.appUrl,
    'content-length': '60000',
    'content-type': 'application/x-www-form-urlencoded',
    ...headers,
  }
  socket.write(`POST ${path} HTTP/1.1\r\n`)
  socket.write(
    `${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  )
  const timer = setInterval(() => socket.write('a'), 1000)
  return new Promise((resolve) => {
    let answer = ''
    socket.on('data', (data) => {
      answer += data
    })
    // writes after its end fail
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(timer)
      resolve({ answer, seconds: (performance.now() - begin) / 1000 })
    })
  })
}

test('answers a body that drips with 408 after half a minute, and closes its connection', async ({
  page,
  app,
  signIn,
}) => {
  test.setTimeout(240_000)
  await signIn(page)
  const cookies = await page.context().cookies(app.appUrl)
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const ends = await Promise.all([drip(app, '/api/sign-in'), drip(app, '/api/connections/connect', { cookie })])
  for (const { answer, seconds } of ends) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /)
    expect(answer).toMatch(/^connection: close\r$/im)
    expect(seconds).toBeGreaterThan(29)
    expect(seconds).toBeLessThan(60)
  }
})
