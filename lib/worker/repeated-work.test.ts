import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeatWork } from './repeated-work.ts'

/** Work whose turns end on demand: `begun` turns have begun, `running` are under way. */
function createWork() {
  const state = { begun: 0, running: 0, most: 0 }
  const ends: ((error?: Error) => void)[] = []
  const work = async () => {
    state.begun += 1
    state.running += 1
    state.most = Math.max(state.most, state.running)
    await new Promise<void>((resolve, reject) => {
      ends.push((error) => (error === undefined ? resolve() : reject(error)))
    }).finally(() => {
      state.running -= 1
    })
  }
  return { state, work, end: (error?: Error) => ends.shift()?.(error) }
}

/** Lets what waits for promises go on, and no timer or immediate. */
async function settlePromises(): Promise<void> {
  for (let step = 0; step < 20; step++) await null
}

test('calls during a turn lead to one more turn, never to two at once', async () => {
  const { state, work, end } = createWork()
  const turns = repeatWork('test', work)
  for (let call = 0; call < 5; call++) turns.wake()
  expect(state.begun).toBe(1)
  end()
  await expect.poll(() => state.begun).toBe(2)
  end()
  await nextTurnOfTheLoop()
  expect(state).toEqual({ begun: 2, running: 0, most: 1 })
  turns.wake()
  expect(state).toEqual({ begun: 3, running: 1, most: 1 })
  end()
  await turns.stop()
})

test('a turn that throws prevents neither the turn already asked for nor a later one', async () => {
  const { state, work, end } = createWork()
  const turns = repeatWork('test', work)
  turns.wake()
  turns.wake()
  end(new Error('the database is away'))
  await expect.poll(() => state.begun).toBe(2)
  end(new Error('still away'))
  await expect.poll(() => state.running).toBe(0)
  turns.wake()
  await expect.poll(() => state.begun).toBe(3)
  end()
  await turns.stop()
})

test('stopping aborts the turn in hand, waits for its end, and takes no more', async () => {
  const { state, work, end } = createWork()
  let told: AbortSignal | undefined
  const turns = repeatWork('test', (signal) => {
    told = signal
    return work()
  })
  turns.wake()
  turns.wake()
  let isDown = false
  const stopped = turns.stop().then(() => {
    isDown = true
  })
  expect(told?.aborted).toBe(true)
  await Promise.resolve()
  expect(isDown).toBe(false)
  end()
  await stopped
  turns.wake()
  expect(state).toEqual({ begun: 1, running: 0, most: 1 })
})

test('with an interval, takes a turn now and at each interval, except one due during a turn', async () => {
  const { state, work, end } = createWork()
  let ticks = 0
  const clock = setInterval(() => {
    ticks += 1
  }, 5)
  const turns = repeatWork('test', work, 5)
  try {
    expect(state.begun).toBe(1)
    await expect.poll(() => ticks).toBeGreaterThan(5)
    end()
    // promises settle before any timer: a turn that begins here was owed from before
    await settlePromises()
    expect(state.begun).toBe(1)
    await expect.poll(() => state.begun).toBe(2)
    expect(state.most).toBe(1)
  } finally {
    clearInterval(clock)
    end()
    await turns.stop()
  }
})
