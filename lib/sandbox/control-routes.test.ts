import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Sandbox } from './server.ts'
import {
  callApi,
  connect,
  control,
  readAll,
  readList,
  startTestSandbox,
  TEST_SETTINGS,
  type WireRow,
} from './test-support/test-client.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
beforeEach(() => sandbox.reset())
afterAll(() => sandbox.close())

it('says what the tie-out of an account has to come to', async () => {
  const { currencies } = await control<{ currencies: object[] }>(sandbox, 'GET', 'tie-out?account=nordlicht')
  expect(currencies).toEqual(sandbox.tieOuts('nordlicht'))
  // the two lines that cannot be parsed, and the credits of two invoices
  expect(currencies).toMatchObject([
    { currency: 'EUR', notImported: '97.90', creditUsed: '50.00', unexplained: '0.00' },
    { currency: 'GBP', notImported: '0.00', creditUsed: '12.75', unexplained: '0.00' },
    { currency: 'JPY' },
    { currency: 'KWD' },
  ])
})

it('refuses every control without the key', async () => {
  for (const key of [undefined, 'wrong']) {
    const response = await fetch(`${sandbox.url}/control/tokens`, { headers: key ? { 'x-control-key': key } : {} })
    expect([response.status, await response.text()]).toEqual([403, '{"message":"Control key required."}'])
  }
})

it('moves the clock and puts it back', async () => {
  await control(sandbox, 'POST', 'clock', { now: '2027-03-01T12:00:00Z' })
  expect(await control<{ now: string }>(sandbox, 'GET', 'clock')).toMatchObject({
    now: expect.stringMatching(/^2027-03-01T12:00/),
  })
  await control(sandbox, 'POST', 'clock', { reset: true })
  expect(await control(sandbox, 'GET', 'clock')).toMatchObject({ offsetSeconds: 0 })
})

it('shows no token in the state or the call log, and all of them where asked', async () => {
  const tokens = await connect(sandbox)
  await callApi(sandbox, '/profiles', tokens.access_token)
  const seen = JSON.stringify([await control(sandbox, 'GET', 'state'), await control(sandbox, 'GET', 'calls')])
  for (const secret of [tokens.access_token, tokens.refresh_token, TEST_SETTINGS.clientSecret])
    expect(seen).not.toContain(secret)
  expect(seen).toContain('"path":"/api/v1/profiles"')
  const { live, everIssued } = await control<{ live: unknown; everIssued: string[] }>(sandbox, 'GET', 'tokens')
  expect(live).toEqual([
    { accountId: 'nordlicht', accessTokens: [tokens.access_token], refreshTokens: [tokens.refresh_token] },
  ])
  expect(everIssued).toHaveLength(3)
})

it('issues, pays, changes and removes, and its totals follow', async () => {
  const { access_token } = await connect(sandbox)
  const before = await control<{ invoiceCount: number; lineCount: number }>(sandbox, 'GET', 'totals?account=nordlicht')
  const issued = await control<{ serialNumber: string; lineIds: string[] }>(sandbox, 'POST', 'mutate', {
    action: 'issue_invoice',
    lines: 3,
  })
  await control(sandbox, 'POST', 'mutate', { action: 'pay_invoice', serialNumber: issued.serialNumber })
  await control(sandbox, 'POST', 'mutate', {
    action: 'update_line',
    lineId: issued.lineIds[0],
    patch: { description: 'late correction' },
    rawJson: { total_amount: '1e400' },
  })
  await control(sandbox, 'POST', 'mutate', { action: 'remove_line', lineId: issued.lineIds[1] })
  const lines = await readAll(
    sandbox,
    `/invoices/lines?serial_number=${issued.serialNumber}`,
    'invoice_lines',
    access_token,
  )
  expect(lines.map((line) => line.id)).toEqual([issued.lineIds[0], issued.lineIds[2]])
  expect(lines[0]).toMatchObject({ description: 'late correction', invoice_status: 'paid' })
  expect(await control(sandbox, 'GET', 'totals?account=nordlicht')).toMatchObject({
    invoiceCount: before.invoiceCount + 1,
  })
  await control(sandbox, 'POST', 'mutate', { action: 'remove_invoice', serialNumber: issued.serialNumber })
  expect(await control(sandbox, 'GET', 'totals?account=nordlicht')).toEqual(before)
})

it('adds up nested groups to the same sums as the whole', async () => {
  type Group = { key: WireRow; currency: string; lineCount: number; totalAmount: string }
  const whole = await control<{ currencies: Group[]; byTrip: Group[] }>(sandbox, 'GET', 'totals')
  const { groups } = await control<{ groups: Group[] }>(sandbox, 'GET', 'totals?by=trip,cost_center,vertical')
  const count = (list: Group[]) => list.reduce((sum, group) => sum + group.lineCount, 0)
  expect(count(groups)).toBe(count(whole.currencies))
  expect(Object.keys(groups[0]?.key ?? {})).toEqual(['trip_id', 'cost_center', 'related_vertical'])
  // The same trip as number and as text is one group; its neighbor beyond 2^53 is another.
  expect(whole.byTrip.filter((group) => group.key.trip_id === '4711042')).toHaveLength(1)
  expect(whole.byTrip.filter((group) => String(group.key.trip_id).startsWith('900719925474099'))).toHaveLength(2)
})

it('refuses what it does not know, in words', async () => {
  for (const [path, body] of [
    ['mutate', { action: 'explode' }],
    ['faults', { action: { type: 'explode' } }],
    ['clock', {}],
    ['grace', { mode: 'mercy' }],
  ] as const) {
    await expect(control(sandbox, 'POST', path, body)).rejects.toThrow(/400/)
  }
})

it('starts over on reset', async () => {
  const { access_token } = await connect(sandbox)
  const before = await readList(sandbox, '/invoices/lines', access_token)
  await control(sandbox, 'POST', 'mutate', { action: 'issue_invoice', position: 'front' })
  await control(sandbox, 'POST', 'reset')
  expect((await callApi(sandbox, '/profiles', access_token)).status).toBe(401)
  expect(await readList(sandbox, '/invoices/lines', (await connect(sandbox)).access_token)).toEqual(before)
})
