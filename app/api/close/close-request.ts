/**
 * What requests of the close have in common: their scope, who signs, and words for what is
 * refused.
 */
import * as z from 'zod'
import type { Actor } from '#lib/audit/model.ts'
import type { AppSession } from '#lib/auth/model.ts'
import { ERROR_CATALOG } from '#lib/errors.ts'
import { errorReply, jsonReply } from '#lib/http/replies.ts'
import { type ConnectionId, parseConnectionId } from '#lib/ids.ts'
import { type CloseRefusal, type Refused, type Signed, type Signer, signOff } from '#lib/ledger/close/sign-off.ts'
import type { SignStep } from '#lib/reconcile/close/close-state.ts'
import { type CloseScope, firstDayOf, isPeriod, type PeriodScope } from '#lib/reconcile/close/scope.ts'

const connectionId = z.string().transform((text, context): ConnectionId => {
  const id = parseConnectionId(text)
  if (id !== null) return id
  context.addIssue('names no account')
  return z.NEVER
})
const name = z.string().min(1).max(300)
const month = z.string().refine((text) => firstDayOf(text) !== null)

export const scope = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('invoice'), connectionId, serialNumber: name }),
  z.object({ kind: z.literal('profile_month'), connectionId, profileId: name, month }),
  z.object({ kind: z.literal('connection_month'), connectionId, month }),
]) satisfies z.ZodType<CloseScope<ConnectionId>>

export const period = scope.refine((given) => isPeriod(given)) as unknown as z.ZodType<PeriodScope<ConnectionId>>

/** The number of a lock. */
export const lockNumber = z.string().regex(/^[1-8]?\d{1,18}$/)

const MOST_WORDS = 2000
/** Why, in words. */
export const words = z
  .string()
  .max(MOST_WORDS)
  .transform((text) => text.trim().replaceAll('\0', ''))
  .refine((text) => text !== '')

export const signBody = z.object({
  scope,
  /** Of the preview that was seen. */
  sealHex: z.string().regex(/^[0-9a-f]{64}$/),
  residuals: z
    .array(
      z.object({
        currency: z.string().max(10),
        amount: z.string().max(60),
        reason: words,
        note: z
          .string()
          .max(MOST_WORDS)
          .nullish()
          .transform((text) => text?.trim() || null),
      }),
    )
    .max(200)
    .default([]),
  /** The sync that the preview told of. */
  runningRun: z.uuid().nullish(),
})

export function toSigner({ name, role }: AppSession, actor: Actor): Signer {
  return { actor, name, role }
}

/** Signs, and answers: 409 `differs` with a fresh preview when it is another one by now. */
export async function replySigned(
  session: AppSession,
  actor: Actor,
  step: SignStep,
  { scope, sealHex, residuals, runningRun = null }: z.infer<typeof signBody>,
): Promise<Signed | Response> {
  const wish = { sealHex, residuals, runningRun }
  const ended = await signOff(session.organizationId, toSigner(session, actor), scope, step, wish)
  if (ended.kind === 'differs') return jsonReply(ended, 409)
  return ended.kind === 'refused' ? replyRefused(ended) : ended
}

const REFUSAL_WORDS: Partial<Record<CloseRefusal, string>> = {
  nothing: 'There is no invoice in it to be signed.',
  already: 'Somebody has done this already. Look at where it stands now.',
  'sync-running': 'A sync has begun meanwhile. Look at it again, or sign while it is under way.',
  'residual-needed': 'Something of it is undecided. Decide about it, or accept it with its amount and a reason.',
  gone: 'There is nothing left to do this with. Look at where it stands now.',
}

/** 409 with the code and words. */
export function replyRefused({ code }: Refused): Response {
  const text = code in ERROR_CATALOG ? ERROR_CATALOG[code as keyof typeof ERROR_CATALOG].text : REFUSAL_WORDS[code]
  return errorReply(409, code, text ?? '')
}
