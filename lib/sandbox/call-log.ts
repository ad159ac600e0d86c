/** One call as tests see it: names of headers, never their values; token bodies are not kept. */
type LoggedCall = {
  at: string
  method: string
  path: string
  query: string
  headerNames: string[]
  /** 0 when the connection was reset instead of answered. */
  status: number
  fault: string | null
}

const MAX_CALLS = 20_000

export type CallLog = { add(call: LoggedCall): void; list(): LoggedCall[]; clear(): void }

/** Keeps the most recent calls. */
export function createCallLog(): CallLog {
  let calls: LoggedCall[] = []
  return {
    add: (call) => {
      calls.push(call)
      if (calls.length > MAX_CALLS * 2) calls = calls.slice(-MAX_CALLS)
    },
    list: () => calls.slice(-MAX_CALLS),
    clear: () => {
      calls = []
    },
  }
}
