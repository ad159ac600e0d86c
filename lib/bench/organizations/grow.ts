/** A cluster that grows while organizations sync and people read. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import type { OrganizationId } from '#lib/ids.ts'
import type { OwnWorld } from '#lib/world/own-world.ts'
import type { Account } from '../fleet/sync-waves.ts'
import { type Compared, compareWithPlatform, countDifferent, sumLines } from './compare-rows.ts'
import type { EngineDatabase } from './engines.ts'
import { keepSyncing, type Synced } from './keep-syncing.ts'
import { describePlaces, type Move, moveAll } from './moves.ts'
import { keepReading, type Reader, type Reading } from './read-pages.ts'

const WORKERS = 2
const BEFORE_MS = 15_000

export type Grown = {
  moves: Move[]
  readings: Reading[]
  synced: Pick<Synced, 'waves' | 'ended'>
  compared: Compared
  /** Organizations that nobody syncs, whose lines are others than before. */
  different: number
  /** Where shards stand, before and after. */
  places: [string, string]
}

export type Growing = {
  world: OwnWorld
  database: EngineDatabase
  url: string
  readers: readonly Reader[]
  accounts: readonly Account[]
  /** Those that nobody syncs, the largest first. */
  filled: readonly OrganizationId[]
  /** Whose shards are moved, the largest first. */
  moved: readonly OrganizationId[]
}

/** Reads and syncs for a while, then moves as well; all of it until the last move has ended. */
export async function grow(lifetime: Lifetime, growing: Growing): Promise<Grown> {
  const { world, database, url, readers, accounts, filled, moved } = growing
  const before = await sumLines(filled)
  const [largest] = moved as [OrganizationId]
  const placesBefore = await describePlaces(database.superuser, largest)
  const workers = Array.from({ length: WORKERS }, () => world.startWorker(database.worker))
  lifetime.onEnd('Workers', async (isForced) => {
    await Promise.all(workers.map((worker) => worker.stop(isForced)))
  })
  const [noMoreReading, noMoreSyncing] = [new AbortController(), new AbortController()]
  const reading = keepReading(url, readers, noMoreReading.signal)
  const syncing = keepSyncing(world, accounts, noMoreSyncing.signal)
  let moves: Move[] = []
  try {
    await delay(BEFORE_MS, undefined, { signal: lifetime.signal })
    moves = await moveAll(database.superuser, moved)
  } finally {
    for (const over of [noMoreReading, noMoreSyncing]) over.abort()
    await Promise.allSettled([reading, syncing])
  }
  const synced = await syncing
  await Promise.all(workers.map((worker) => worker.stop(false)))
  return {
    moves,
    readings: await reading,
    synced: { waves: synced.waves, ended: synced.ended },
    compared: await compareWithPlatform(world, synced),
    different: countDifferent(before, await sumLines(filled)),
    places: [placesBefore, await describePlaces(database.superuser, largest)],
  }
}
