/** People who read, sign in and take files along while the database moves. */
import { setTimeout as delay } from 'node:timers/promises'
import { OWN_PASSWORD } from '#lib/world/own-web.ts'
import { isWholePage } from '../desk/desk-pages.ts'
import { LOADED_PAGES } from '../fleet/page-load.ts'

export type Asked = 'page' | 'sign-in' | 'file'

/** `said`: how it was refused; a file that ends as if it were whole and is not, is `cut short`. */
export type Answer = { asked: Asked; began: number; ended: number; isGood: boolean; said: string }

const READERS = 2
const PATIENCE_MS = 60_000
/** After each answer: so many people are calm. */
const CALM_MS: Record<Asked, number> = { page: 50, 'sign-in': 400, file: 400 }

/** `file`: its address, and how long it is whole. */
type Door = { url: string; cookies: string[]; email: string; file: { address: string; bytes: number } }

/** Until `over`; each goes on whatever the answer is. */
export async function ask(door: Door, over: AbortSignal): Promise<Answer[]> {
  const readers = Array.from({ length: READERS }, (_, at) => repeat('page', (turn) => readPage(door, at + turn), over))
  const others = [repeat('sign-in', () => signIn(door), over), repeat('file', () => takeFile(door), over)]
  return (await Promise.all([...readers, ...others])).flat()
}

async function repeat(asked: Asked, once: (turn: number) => Promise<string>, over: AbortSignal): Promise<Answer[]> {
  const answers: Answer[] = []
  while (!over.aborted) {
    const began = Date.now()
    const said = await once(answers.length).catch((thrown: Error) =>
      thrown.name === 'TimeoutError' ? 'no answer' : 'broken off',
    )
    answers.push({ asked, began, ended: Date.now(), isGood: said === '', said })
    await delay(CALM_MS[asked])
  }
  return answers
}

async function readPage({ url, cookies }: Door, turn: number): Promise<string> {
  const cookie = cookies[turn % cookies.length] as string
  const reply = await get(url + LOADED_PAGES[turn % LOADED_PAGES.length], cookie)
  return isWholePage(reply.status, await reply.text()) ? '' : `${reply.status}`
}

async function signIn({ url, email }: Door): Promise<string> {
  const reply = await fetch(`${url}/api/sign-in`, {
    method: 'POST',
    headers: { origin: url },
    body: new URLSearchParams({ email, password: OWN_PASSWORD, next: '/' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await reply.arrayBuffer()
  const isIn = reply.headers.getSetCookie().some((each) => each.startsWith('tieout.session='))
  const place = new URL(reply.headers.get('location') ?? '/', url)
  return isIn ? '' : `${reply.status} ${place.searchParams.get('error') ?? ''}`.trim()
}

async function takeFile({ url, cookies, file }: Door): Promise<string> {
  const reply = await get(url + file.address, cookies[0] as string)
  const bytes = (await reply.arrayBuffer()).byteLength
  if (reply.status !== 200) return `${reply.status}`
  return bytes === file.bytes ? '' : 'cut short'
}

const get = (url: string, cookie: string) =>
  fetch(url, { headers: { cookie }, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
