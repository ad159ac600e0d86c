import { expect, test } from 'vitest'
import { createCrew } from './crew.ts'

/** Jobs that end when they are told to. */
function createJobs(hands: number) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const crew = createCrew<string>(
    hands,
    (job) => job,
    (job) =>
      new Promise((resolve) => {
        begun.push(job)
        ends.set(job, resolve)
      }),
  )
  const end = async (job: string) => {
    ends.get(job)?.()
    await new Promise(setImmediate)
  }
  return { crew, begun, end }
}

test('begins as many as there are hands, in order, and the rest as hands get free', async () => {
  const { crew, begun, end } = createJobs(2)
  crew.offer(['a', 'b', 'c', 'd'])
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  await end('c')
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
})

test('does not begin again what is in hand, and forgets what is due no more', async () => {
  const { crew, begun, end } = createJobs(2)
  crew.offer(['a', 'b', 'gone'])
  crew.offer(['a', 'b', 'c'])
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
  crew.offer(['a'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c', 'a'])
})

test('a stop begins nothing more and waits for what is in hand, but not forever', async () => {
  const { crew, begun, end } = createJobs(1)
  crew.offer(['a', 'b'])
  let isStopped = false
  const stopped = crew.stop(60_000).then(() => {
    isStopped = true
  })
  await new Promise(setImmediate)
  expect(isStopped).toBe(false)
  await end('a')
  await stopped
  expect(begun).toEqual(['a'])
  const stuck = createJobs(1)
  stuck.crew.offer(['a'])
  await stuck.crew.stop(1)
})
