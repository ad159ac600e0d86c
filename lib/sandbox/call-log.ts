/** One call as tests see it: header names without values, and no token bodies. */
type LoggedCall = {
  at: string
  method: string
  path: string
  query: string
  headerNames: string[]
  /** 0 when the connection was reset. */
  status: number
  fault: string | null
}

const MAX_CALLS = 20_000

export type CallLog = {
  add(call: LoggedCall): void
  /** The newest calls. */
  list(): LoggedCall[]
  /** How many calls there were since the log was cleared, also those it has dropped. */
  count(): number
  clear(): void
}

export function createCallLog(): CallLog {
  let calls: LoggedCall[] = []
  let count = 0
  return {
    add: (call) => {
      calls.push(call)
      count += 1
      if (calls.length > MAX_CALLS * 2) calls = calls.slice(-MAX_CALLS)
    },
    list: () => calls.slice(-MAX_CALLS),
    count: () => count,
    clear: () => {
      calls = []
      count = 0
    },
  }
}
