/**
 * Passwords that attackers guess first: those of known breaches, patterns of the keyboard, dates,
 * and what belongs to the person. The lists stay on the server and nothing leaves it.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** Whose password it is to be. */
export type Person = { email?: string; name?: string; organizationName?: string }

/** As many as eight characters that follow no pattern. */
const LEAST_GUESSES = 1e8
/** Looking at more would take long, and what is hard to guess is so by then. */
const LOOKED_AT = 64
/** A shorter word is in too many others. */
const LEAST_WORD = 3

let opened: Promise<ZxcvbnFactory> | null = null

/** `personal`: it would be hard to guess only for somebody who does not know the person. */
export async function isEasyToGuess(password: string, person: Person): Promise<'common' | 'personal' | null> {
  opened ??= open()
  const judge = await opened
  const guess = (text: string) => (text === '' ? 0 : judge.check(text.slice(0, LOOKED_AT)).guesses)
  if (guess(password) < LEAST_GUESSES) return 'common'
  const rest = withoutWords(password, toWords(person))
  return rest.length < password.length && guess(rest) < LEAST_GUESSES ? 'personal' : null
}

/** Half a second of reading and 8 MB, so only a process in which somebody chooses one pays. */
async function open(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory }, { dictionary, adjacencyGraphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}

function toWords({ email = '', name = '', organizationName = '' }: Person): string[] {
  const texts = [email.split('@')[0], email.split('@')[1]?.replace(/\.[^.]*$/, ''), name, organizationName, 'tieout']
  const words = texts.flatMap((text = '') => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return [...new Set(words)].filter((word) => word.length >= LEAST_WORD)
}

/** The longest words first: one may be in another. */
function withoutWords(password: string, words: string[]): string {
  const byLength = [...words].sort((a, b) => b.length - a.length)
  return byLength.reduce((rest, word) => rest.replaceAll(word, ''), password.toLowerCase())
}
