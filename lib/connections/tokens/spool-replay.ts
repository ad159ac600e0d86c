/** Stores spooled answers: at a worker's start, before a refresh, and when the database is back. */

import { isDatabaseTrouble } from '#lib/db/database-trouble.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import { OperationalError } from '#lib/errors.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { log } from '#lib/log.ts'
import { processTokenResponse } from '#lib/partner/oauth/oauth-requests.ts'
import { openAnswer, type ParseAnswer, settleAnswer } from './refresh-answer.ts'
import { listSpooled, readSpooled, removeSpooled, type SpooledFile } from './spool.ts'

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000

/**
 * Stores every spooled answer, of one connection or of all. Logs and leaves what cannot be opened.
 * @returns how many it stored. @throws what the database throws; answers not yet stored stay
 * spooled.
 */
export async function replaySpool(connectionId?: ConnectionId): Promise<number> {
  let count = 0
  for (const spooled of await listSpooled(connectionId)) if (await replay(spooled)) count += 1
  return count
}

async function replay(spooled: SpooledFile): Promise<boolean> {
  const sealed = await readSpooled(spooled)
  if (sealed === null) return false
  try {
    const answer = await openAnswer(sealed, spooled)
    const settled = await settleAnswer(answer)
    await removeSpooled(spooled)
    log.warn({ connectionId: spooled.connectionId, end: settled.kind }, 'an answer from the spool was brought home')
    return true
  } catch (thrown) {
    if (!(thrown instanceof OperationalError) || thrown.code !== 'token-unreadable') throw thrown
    log.error({ file: spooled.file, reason: thrown.message }, 'a spooled answer cannot be opened; it is kept')
    return false
  }
}

let isKeeping = false

/** Keeps replaying the spool, with growing pauses, until it is empty or the process ends. */
export function keepReplaying(): void {
  if (isKeeping) return
  isKeeping = true
  const turn = async (pauseMs: number): Promise<void> => {
    try {
      await replaySpool()
      isKeeping = false
    } catch (thrown) {
      log.warn(
        { reason: thrown instanceof Error ? thrown.message : String(thrown) },
        'the spool waits for the database',
      )
      setTimeout(() => void turn(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs).unref()
    }
  }
  setTimeout(() => void turn(FIRST_PAUSE_MS), FIRST_PAUSE_MS).unref()
}

/**
 * Reads kept answers that an earlier version could not read, unless the connection has newer
 * tokens, and stores those that this version can. @returns how many connections it brought back.
 */
export async function recoverKeptAnswers(parse: ParseAnswer = processTokenResponse): Promise<number> {
  const rows = await withSystemSql((sql) =>
    sql<{ connectionId: ConnectionId; generation: number; sealed: string }>(
      `select a.connection_id as "connectionId", a.generation, a.sealed_answer as sealed
       from refresh_attempt a
       join connection_credential k on k.organization_id = a.organization_id and k.connection_id = a.connection_id
        and k.generation = a.generation
       where a.sealed_answer is not null order by a.started_at desc`,
    ),
  )
  let count = 0
  for (const { sealed, ...from } of rows) {
    try {
      const answer = await openAnswer(sealed, from)
      // what is still unreadable stays as it was noted
      if (parse(answer.status, answer.headers, answer.body, answer.receivedAt).kind !== 'tokens') continue
      const { kind } = await settleAnswer(answer, parse)
      if (kind === 'renewed') count += 1
      log.warn({ connectionId: from.connectionId, end: kind }, 'a kept answer can be read now')
    } catch (thrown) {
      if (isDatabaseTrouble(thrown)) throw thrown
      log.error({ ...from, reason: thrown instanceof Error ? thrown.message : '' }, 'a kept answer cannot be recovered')
    }
  }
  return count
}
