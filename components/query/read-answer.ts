/**
 * The answer of one of our JSON routes; a failure carries words for people, never a thrown message.
 */
export type Answer<Value> =
  | { status: 'ready'; value: Value }
  | { status: 'missing' }
  | { status: 'failed'; text: string; reference: string | null }

const UNREACHABLE = 'The server did not answer. Check your internet connection and try again; nothing was changed.'

/**
 * Calls one of our routes, which answers with JSON unless `read` takes something else. Never
 * throws. An ended session leads to the sign-in page.
 */
export async function readAnswer<Value>(
  address: string,
  signal?: AbortSignal,
  init?: RequestInit,
  read = (response: Response): Promise<Value> => response.json(),
  /** Told what else a refusal brings. */
  onRefused?: (status: number, body: unknown) => void,
): Promise<Answer<Value>> {
  try {
    const response = await fetch(address, { ...init, signal: signal ?? null })
    if (response.ok) return { status: 'ready', value: await read(response) }
    if (response.status === 401) window.location.assign(toSignInAddress(window.location))
    if (response.status === 404) return { status: 'missing' }
    const body = await response.json().catch(() => null)
    onRefused?.(response.status, body)
    return { status: 'failed', ...toFailure(body) }
  } catch {
    return { status: 'failed', text: UNREACHABLE, reference: null }
  }
}

/** The sign-in page, with the way back to this one. */
function toSignInAddress({ pathname, search }: { pathname: string; search: string }): string {
  return `/sign-in?error=ended&next=${encodeURIComponent(pathname + search)}`
}

function toFailure(body: unknown): { text: string; reference: string | null } {
  const error = (body as { error?: { text?: unknown; reference?: unknown } } | null)?.error
  return {
    text: typeof error?.text === 'string' ? error.text : UNREACHABLE,
    reference: typeof error?.reference === 'string' ? error.reference : null,
  }
}
