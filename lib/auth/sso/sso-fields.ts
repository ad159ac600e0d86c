/** The fields of the settings of single sign-on, as a form sends them. */
import * as z from 'zod'
import { isDomain } from './claims.ts'

const MAX_LINES = 50

/** One line without control characters, 1 to `max` characters. */
export function ssoText(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .regex(/^\P{Cc}+$/u)
}

/** Lines of a text, each once; empty ones do not count. */
export const lines = z
  .string()
  .max(20_000)
  .transform((text) => [...new Set(text.split(/\r?\n/).map((line) => line.trim()))].filter((line) => line !== ''))
  .pipe(z.array(ssoText(300)).max(MAX_LINES))

/** Domains, separated by lines, commas or spaces, in lower case. */
export const domainLines = z
  .string()
  .max(20_000)
  .transform((text) => [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter((domain) => domain !== ''))
  .pipe(z.array(z.string().refine(isDomain)).min(1).max(MAX_LINES))
