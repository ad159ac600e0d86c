import { expect, test } from 'vitest'
import { keepStatistics } from './keep-statistics.ts'

/** Refreshes that end on demand. */
function createRefresh() {
  const ends: ((error?: Error) => void)[] = []
  const isRough: boolean[] = []
  const refresh = (rough: boolean) =>
    new Promise<void>((resolve, reject) => {
      isRough.push(rough)
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    })
  const failures: unknown[] = []
  const keeper = keepStatistics(refresh, (thrown) => failures.push(thrown))
  return { keeper, failures, isRough, begun: () => ends.length, end: (error?: Error) => ends.at(-1)?.(error) }
}

test('a growing ledger is measured early and then at three times the size, never twice at once', async () => {
  const { keeper, begun, end } = createRefresh()
  keeper.note(19_999)
  expect(begun()).toBe(0)
  keeper.note(1)
  expect(begun()).toBe(1)
  keeper.note(100_000) // while the first is under way
  expect(begun()).toBe(1)
  end()
  const look = () => {
    keeper.note(0)
    return begun()
  }
  await expect.poll(look).toBe(2)
  end()
  keeper.note(200_000)
  expect(begun()).toBe(2)
})

test('at its end a run waits for statistics that know what it wrote', async () => {
  const { keeper, begun, end } = createRefresh()
  keeper.note(6_000)
  const settled = keeper.settle()
  expect(begun()).toBe(1)
  end()
  await settled
  await keeper.settle()
  expect(begun()).toBe(1)
})

test('statistics made while a run goes on are rough, and never stand for those at its end', async () => {
  const { keeper, isRough, end } = createRefresh()
  keeper.note(20_000)
  expect(isRough).toEqual([true])
  const settled = keeper.settle()
  end()
  await expect.poll(() => isRough).toEqual([true, false])
  end()
  await settled
})

test('a run that wrote little measures nothing', async () => {
  const { keeper, begun } = createRefresh()
  keeper.note(4_999)
  await keeper.settle()
  expect(begun()).toBe(0)
})

test('a failure is told and ends nothing', async () => {
  const { keeper, failures, end } = createRefresh()
  keeper.note(30_000)
  const settled = keeper.settle()
  end(new Error('the database is busy'))
  await expect.poll(() => failures.length).toBe(1)
  end()
  await settled
})
