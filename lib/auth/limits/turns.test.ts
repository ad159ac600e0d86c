import { expect, test } from 'vitest'
import { createTurns, type Turn, type TurnOptions } from './turns.ts'

/** Work that ends on demand, and a record of what has begun. */
function startTurns(waiting = 3) {
  const turns = createTurns({ atOnce: 2, waiting })
  const begun: string[] = []
  const ends = new Map<string, (failure?: Error) => void>()
  const ask = (name: string, options?: TurnOptions): Promise<Turn<string>> =>
    turns.take(() => {
      begun.push(name)
      return new Promise((resolve, reject) => {
        ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)))
      })
    }, options)
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = (name: string, failure?: Error) => {
    ends.get(name)?.(failure)
    return settle()
  }
  return { ask, begun, end, isFull: turns.isFull }
}

test('A18: two run at once, the others in order of arrival', async () => {
  const { ask, begun, end } = startTurns()
  const all = ['a', 'b', 'c', 'd'].map((name) => ask(name))
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  expect(begun).toEqual(['a', 'b', 'c'])
  await end('a')
  await end('c')
  await end('d')
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'].map((value) => ({ kind: 'done', value })))
  ask('e')
  ask('f')
  ask('g')
  expect(begun.slice(4)).toEqual(['e', 'f'])
})

test('A18: a full queue refuses at once', async () => {
  const { ask, begun, end, isFull } = startTurns(1)
  for (const name of ['a', 'b']) ask(name)
  expect(isFull()).toBe(false)
  ask('c')
  expect(isFull()).toBe(true)
  expect(await ask('d')).toEqual({ kind: 'full' })
  expect(begun).toEqual(['a', 'b'])
  await end('a')
  expect(isFull()).toBe(false)
})

test('A18: a client gone before its turn is skipped, and its place is free', async () => {
  const { ask, begun, end } = startTurns(1)
  const client = new AbortController()
  ask('a')
  ask('b')
  const left = ask('c', { signal: client.signal })
  client.abort()
  expect(await left).toEqual({ kind: 'gone' })
  ask('d')
  await end('a')
  expect(begun).toEqual(['a', 'b', 'd'])
  expect(await ask('e', { signal: client.signal })).toEqual({ kind: 'gone' })
})

test('failing work passes its place on, and its failure to the caller', async () => {
  const { ask, begun, end } = startTurns()
  const failing = ask('a')
  failing.catch(() => undefined)
  ask('b')
  ask('c')
  await end('a', new Error('no memory'))
  await expect(failing).rejects.toThrow('no memory')
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('a patient caller waits even in a full queue', async () => {
  const { ask, begun, end } = startTurns(0)
  ask('a')
  ask('b')
  ask('c', { isPatient: true })
  await end('a')
  expect(begun).toEqual(['a', 'b', 'c'])
})
