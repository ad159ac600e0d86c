import type { WalkPage } from '../model.ts'
import { createKeySet } from './key-set.ts'

/**
 * One list as this run has seen it so far, over all passes. Replaying the page ledger rebuilds it.
 */
export type Walk = {
  /** Whether a record was on an earlier page of this run. */
  isKnown: (key: bigint) => boolean
  addPage: (page: WalkPage) => void
  /**
   * Whether the pass that just ended shows the whole list. `read-again`: rows may have slipped past
   * between two pages, or the list ended before its own count.
   */
  judgePass: (pass: number) => 'complete' | 'read-again'
  /** How many different records were seen, and the list's last stated total. */
  describe: () => { distinct: number; total: number | null }
}

type Pass = {
  number: number
  received: number
  repeats: number
  shrank: boolean
  changed: boolean
  firstTotal: number | null
  /** Sum of the keys modulo 2^64: the same for the same records in any order. */
  fingerprint: bigint
}

const nothingRead = (number: number): Pass => ({
  number,
  received: 0,
  repeats: 0,
  shrank: false,
  changed: false,
  firstTotal: null,
  fingerprint: 0n,
})

/**
 * Detects a list that moves while it is read by offset (reliability F21): a row added before the
 * cursor repeats a row, a row removed before it hides one. A list is complete when everything seen
 * since it last shrank reaches its count, or when two quiet passes in a row gave exactly the same
 * records (the list itself then holds repeats).
 */
export function createWalk(): Walk {
  const known = createKeySet()
  let counted = known // rows seen before the list shrank may be gone and no longer count
  let total: number | null = null
  let pass = nothingRead(1)
  let previous: Pass | null = null

  function turnTo(number: number): void {
    if (number === pass.number) return
    previous = pass
    if (pass.shrank) counted = createKeySet()
    pass = nothingRead(number)
  }

  return {
    isKnown: (key) => known.has(key),
    addPage: (page) => {
      turnTo(page.pass)
      const hasShrunk = page.total !== null && total !== null && page.total < total
      if (hasShrunk && pass.received === 0) counted = createKeySet()
      else if (hasShrunk) pass.shrank = true
      if (pass.received === 0) pass.firstTotal = page.total
      else if (page.total !== pass.firstTotal) pass.changed = true
      total = page.total ?? total
      for (const key of page.keys) {
        const isNew = known.add(key)
        const isNewlyCounted = counted === known ? isNew : counted.add(key)
        if (!isNewlyCounted) pass.repeats += 1
        pass.received += 1
        pass.fingerprint = BigInt.asUintN(64, pass.fingerprint + key)
      }
    },
    judgePass: (number) => {
      turnTo(number)
      const isSameAsBefore =
        previous !== null &&
        !pass.changed &&
        !previous.changed &&
        previous.fingerprint === pass.fingerprint &&
        previous.received === pass.received
      if (total === null) return pass.repeats === 0 || isSameAsBefore ? 'complete' : 'read-again'
      if (!pass.shrank && counted.size() >= total) return 'complete'
      return isSameAsBefore && pass.received >= total ? 'complete' : 'read-again'
    },
    describe: () => ({ distinct: counted.size(), total }),
  }
}
