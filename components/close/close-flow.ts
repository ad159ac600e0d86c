/** What the browser asks and tells the server when somebody signs. Loads with the first dialog. */
import { type Answer, readAnswer } from '#components/query/read-answer.ts'
import type { SignOffPreview } from '#lib/ledger/close/sign-off.ts'
import type { SignStep } from '#lib/reconcile/close/close-state.ts'
import type { CloseScope, PeriodScope } from '#lib/reconcile/close/scope.ts'

/** What somebody wants to do with a month or an invoice. */
export type CloseWish = SignWish | WordsWish | PackWish

/** A signature or a lock, after a dry run. */
export type SignWish = { verb: 'prepare' | 'approve'; scope: CloseScope } | { verb: 'lock'; scope: PeriodScope }
/** The evidence packs of it. */
type PackWish = { verb: 'pack'; of: CloseScope }
/** What needs words at most. */
export type WordsWish =
  | { verb: 'reopen' | 'exception'; lock: string }
  | { verb: 'withdraw'; signOff: string; step: SignStep }
  | { verb: 'end'; exception: string; name: string }

const post = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

/** To lock is to lock what is approved: its dry run is the approval's. */
export function askSignOff(scope: CloseScope, step: SignStep): Promise<Answer<SignOffPreview>> {
  return readAnswer('/api/close/preview', undefined, post({ scope, step }))
}

export type SignedResidual = { currency: string; amount: string; reason: string; note: string | null }

/** `differs`: it is another one than was seen, as it is now; nothing was signed. */
export type SignAnswer = Answer<{ kind: 'signed' } | { kind: 'differs'; preview: SignOffPreview }>

export async function sign(
  verb: 'prepare' | 'approve',
  { scope, sealHex, runningSync }: SignOffPreview,
  residuals: SignedResidual[],
): Promise<SignAnswer> {
  const body = { scope, sealHex, residuals, runningRun: runningSync?.id ?? null }
  let differing: { kind: 'differs'; preview: SignOffPreview } | null = null
  const answer = await readAnswer<{ kind: 'signed' }>(
    `/api/close/${verb}`,
    undefined,
    post(body),
    undefined,
    (_, refused) => {
      if ((refused as { kind?: string } | null)?.kind === 'differs')
        differing = refused as NonNullable<typeof differing>
    },
  )
  return differing === null ? answer : { status: 'ready', value: differing }
}

/** Everything that is not a signature. */
export function changeClose(
  verb: 'lock' | 'reopen' | 'exception' | 'withdraw',
  body: unknown,
): Promise<Answer<unknown>> {
  return readAnswer(`/api/close/${verb}`, undefined, post(body))
}
