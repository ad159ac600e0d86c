import { readdirSync, readFileSync } from 'node:fs'

/** The median; for an even count the mean of the middle two. */
export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Resident memory of a process in bytes; null when it has ended. Linux only. */
export function readResidentBytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Number(kilobytes) * 1024
  } catch {
    // it has ended
    return null
  }
}

/** Linux counts processor time in these ticks. */
export const TICKS_PER_SECOND = 100

/** Processor time that a process has used, in ticks; 0 when it has ended. Linux only. */
export function readCpuTicks(pid: number): number {
  try {
    // after the command's name, which may contain spaces: state is field 3, utime 14, stime 15
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  } catch {
    // it has ended
    return 0
  }
}

/** A process and all that it has started, itself first. Linux only. */
export function listProcessTree(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? readParent(Number(name)) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const tree = [pid]
  for (const each of tree) tree.push(...(children.get(each) ?? []))
  return tree
}

function readParent(pid: number): number | null {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[1])
  } catch {
    return null // it has ended
  }
}
