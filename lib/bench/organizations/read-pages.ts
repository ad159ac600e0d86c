/** Pages as people read them: those that an engine refuses are named, and the others go on. */
import { setTimeout as delay } from 'node:timers/promises'
import type { OwnWeb } from '#lib/world/own-web.ts'
import { type DeskPage, isWholePage } from '../desk/desk-pages.ts'
import { readNewWords } from './engine-words.ts'

export type Reader = { name: string; cookie: string; pages: DeskPage[] }

/** Milliseconds of each whole page, and what was said of those that were none, or not always. */
export type PagesRead = { times: Map<string, number[]>; refused: Map<string, string> }

/** Each page once, to see what it is and to warm it; then `rounds` times those that were whole. */
export async function readPages(web: OwnWeb, { cookie, pages }: Reader, rounds: number): Promise<PagesRead> {
  const refused = new Map<string, string>()
  const read = async ({ name, address }: DeskPage) => {
    const words = readNewWords(web.logFile)
    const began = performance.now()
    const said = await readOne(web.url + address, cookie)
    if (said === '') return performance.now() - began
    refused.set(name, await words(said))
    return null
  }
  const times = new Map<string, number[]>()
  for (const page of pages) if ((await read(page)) !== null) times.set(page.name, [])
  const whole = pages.filter(({ name }) => times.has(name))
  for (let round = 0; round < rounds; round++)
    for (const page of whole) {
      const ms = await read(page)
      if (ms !== null) times.get(page.name)?.push(ms)
    }
  return { times: new Map([...times].filter(([, each]) => each.length > 0)), refused }
}

/** `said`: how it was refused; empty for a whole page. */
export type Reading = { reader: string; page: string; at: number; ms: number; said: string }

const CALM_MS = 50
const PATIENCE_MS = 120_000

/** Everybody opens their pages in turn until `over`, whatever the answer is. */
export async function keepReading(url: string, readers: readonly Reader[], over: AbortSignal): Promise<Reading[]> {
  const all = readers.map(async ({ name, cookie, pages }, at) => {
    const readings: Reading[] = []
    for (let turn = at; !over.aborted; turn++) {
      const page = pages[turn % pages.length] as DeskPage
      const began = performance.now()
      const said = await readOne(url + page.address, cookie)
      readings.push({ reader: name, page: page.name, at: Date.now(), ms: performance.now() - began, said })
      await delay(CALM_MS)
    }
    return readings
  })
  return (await Promise.all(all)).flat()
}

async function readOne(address: string, cookie: string): Promise<string> {
  const asked = { headers: { cookie }, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) } as const
  try {
    const reply = await fetch(address, asked)
    return isWholePage(reply.status, await reply.text()) ? '' : `status ${reply.status}`
  } catch (thrown) {
    return thrown instanceof Error && thrown.name === 'TimeoutError' ? 'no answer' : 'broken off'
  }
}
