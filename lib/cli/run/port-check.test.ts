import { expect, test } from 'vitest'
import { describeListening } from './port-check.ts'

test('warns at the start when other machines reach the plain port', () => {
  for (const listenHost of ['127.0.0.1', '127.0.0.2', '::1'])
    expect(describeListening({ listenHost, port: 3000 })).toBeNull()
  for (const listenHost of ['0.0.0.0', '::', '10.0.0.5'])
    expect(describeListening({ listenHost, port: 3000 })).toBe(
      `Listening on ${listenHost}, port 3000 (LISTEN_HOST): plain HTTP, which only the TLS proxy should be able to reach.`,
    )
})
