/** What a fault does to the call it hits. Without `when`, the call takes effect first. */
export type FaultAction =
  | { type: 'status'; status: number; headers?: Record<string, string>; body?: string; when?: 'before' | 'after' }
  /** Connection reset; the request has no effect. */
  | { type: 'drop_before' }
  /** The request takes effect, then the connection is reset without an answer. */
  | { type: 'drop_after_effect' }
  | { type: 'delay'; ms: number; when?: 'before' | 'after' }
  /** Cuts the body to `bytes`, or to half. The announced length stays, so the cut shows. */
  | { type: 'truncate'; bytes?: number; keepLength?: boolean }
  | { type: 'html'; status?: number }
  | { type: 'content_type'; value: string }
  /** Sends the body in small pieces with pauses. */
  | { type: 'trickle'; bytes: number; everyMs: number }
  | { type: 'gzip' }
  /** A small compressed body that inflates to `megabytes`. */
  | { type: 'gzip_bomb'; megabytes: number }
  /** Pads the body with spaces up to `bytes`. */
  | { type: 'pad'; bytes: number }
  /** Answers an empty list; `keepTotal` keeps the total. */
  | { type: 'empty_list'; keepTotal?: boolean }
  /** Issues a new invoice before answering, which shifts offsets. */
  | { type: 'shift'; accountId?: string; position?: 'front' | 'back'; lines?: number }
  /** Replaces text in the body. */
  | { type: 'rewrite'; replace: [from: string, to: string][] }

export type FaultMatch = {
  method?: string
  /** Exact path, or a prefix when it ends in `*`. */
  path?: string
  /** Regular expression on path and query. */
  pattern?: string
  /** Text that a form body must contain, such as `grant_type=refresh_token`. */
  bodyIncludes?: string
}

export type FaultRequest = {
  match?: FaultMatch
  /** The first matching call to hit, counted from 1 (default 1). */
  nth?: number
  /** How many calls to hit (default 1); 0 hits all until the fault is cleared. */
  times?: number
  action: FaultAction
}

type QueuedFault = Required<FaultRequest> & { id: number; seen: number; hits: number }

export type FaultQueue = {
  add(request: FaultRequest): QueuedFault
  list(): QueuedFault[]
  clear(): void
  /** The first fault due for a call; counts the call for every fault that matches it. */
  take(call: { method: string; path: string; url: string; body: string }): QueuedFault | null
}

const ACTION_TYPES: readonly FaultAction['type'][] = [
  'status',
  'drop_before',
  'drop_after_effect',
  'delay',
  'truncate',
  'html',
  'content_type',
  'trickle',
  'gzip',
  'gzip_bomb',
  'pad',
  'empty_list',
  'shift',
  'rewrite',
]

export function createFaultQueue(): FaultQueue {
  let faults: QueuedFault[] = []
  let lastId = 0
  return {
    add: (request) => {
      if (!ACTION_TYPES.includes(request.action?.type))
        throw new RangeError(`unknown fault: ${String(request.action?.type)}`)
      lastId += 1
      const fault = {
        match: request.match ?? {},
        nth: request.nth ?? 1,
        times: request.times ?? 1,
        action: request.action,
        id: lastId,
        seen: 0,
        hits: 0,
      }
      faults.push(fault)
      return fault
    },
    list: () => faults.map((fault) => ({ ...fault })),
    clear: () => {
      faults = []
    },
    take: (call) => {
      let due: QueuedFault | null = null
      for (const fault of faults) {
        if (!matches(fault.match, call)) continue
        fault.seen += 1
        if (due === null && fault.seen >= fault.nth) due = fault
      }
      if (!due) return null
      due.hits += 1
      const taken = { ...due }
      if (due.times > 0 && due.hits >= due.times) faults = faults.filter((fault) => fault.id !== taken.id)
      return taken
    },
  }
}

function matches(match: FaultMatch, call: { method: string; path: string; url: string; body: string }): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== call.method) return false
  if (match.path?.endsWith('*')) {
    if (!call.path.startsWith(match.path.slice(0, -1))) return false
  } else if (match.path !== undefined && match.path !== call.path) return false
  if (match.pattern !== undefined && !new RegExp(match.pattern).test(call.url)) return false
  return match.bodyIncludes === undefined || call.body.includes(match.bodyIncludes)
}
