import { expect, test } from 'vitest'
import type { AccessToken } from '#lib/connections/tokens/access-token.ts'
import { holdToken } from './token-in-hand.ts'

/** A connection whose token gets a new generation only when its newest one is refused. */
function openConnection() {
  const renewed: number[] = []
  let generation = 1
  const get = async (refused?: number): Promise<AccessToken> => {
    if (refused === generation) {
      renewed.push(refused)
      generation += 1
    }
    return { accessToken: `token ${generation}`, generation, expiresAt: new Date(0) }
  }
  return { renewed, hand: holdToken(get) }
}

test('F28: calls refused with the same token renew it once, even if one hears of it late', async () => {
  const { renewed, hand } = openConnection()
  await Promise.all([hand.take(), hand.take()])
  await hand.renew()
  // the first call asks again with the new token; only now is the second, equally old, refused
  expect((await hand.take()).generation).toBe(2)
  await hand.renew()
  expect(renewed).toEqual([1])
})

test('F28: a token renewed after a refusal is renewed again only after it has returned a page', async () => {
  const { renewed, hand } = openConnection()
  for (let refusals = 0; refusals < 5; refusals++) {
    await hand.take()
    await hand.renew()
  }
  expect(renewed).toEqual([1])
  hand.prove()
  await hand.renew()
  expect([renewed, (await hand.take()).generation]).toEqual([[1, 2], 3])
})
