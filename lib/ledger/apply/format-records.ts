/**
 * Records formatted for the database, without it: so another thread can do it. A batch is formatted
 * first; which of its records are written, and under which mark, is decided afterwards.
 */
import { isOddName } from '../kept/name-looks/name-looks.ts'
import { type RowMark, writeMark } from '../sql/row-mark.ts'
import { createRowList, createRowWriter, type StagedRows } from '../sql/staged-rows.ts'
import type { ApplyTarget } from './apply-target.ts'

/**
 * A batch in order: each record's key, its text's SHA-256 (hex; '' if not needed), and its rows.
 */
export type FormattedRecords = {
  ids: string[]
  textHashes: string[]
  staged: StagedRows
  apart: StagedRows | null
  /** Names that may look like others, each once. */
  oddNames: string[]
}

/** Formats one batch after the other; `end` takes the batch. */
export type RecordFormatter<Item> = { add: (item: Item) => void; end: () => FormattedRecords }

export function createRecordFormatter<Item>(target: ApplyTarget<Item>): RecordFormatter<Item> {
  const { keyOf, textHashOf, namesOf, stage, apartStage } = target
  const writer = createRowWriter(stage)
  const apartWriter = apartStage === null ? null : createRowWriter(apartStage)
  let [ids, textHashes]: [string[], string[]] = [[], []]
  const oddNames = new Set<string>()
  return {
    add: (item) => {
      ids.push(keyOf(item))
      textHashes.push(textHashOf?.(item) ?? '')
      for (const name of namesOf?.(item) ?? []) if (isOddName(name)) oddNames.add(name)
      writer.add(item)
      apartWriter?.add(item)
    },
    end: () => {
      const formatted = {
        ids,
        textHashes,
        staged: writer.end(),
        apart: apartWriter?.end() ?? null,
        oddNames: [...oddNames],
      }
      ids = []
      textHashes = []
      oddNames.clear()
      return formatted
    },
  }
}

/**
 * Records as sent to the database, made before the transaction that writes them, and for one only:
 * their bytes are let go once they are sent. `isAllNew`: the ledger probably has none of their
 * keys.
 */
export type PackedRecords = {
  ids: string[]
  textHashes: string[]
  staged: Buffer[]
  stagedApart: Buffer[]
  /** Of these records, and maybe of others that came with them. */
  oddNames: Set<string>
  isAllNew: boolean
}

/**
 * Packs formatted records, one by one and each once: marking one writes into its batch. `add`
 * throws when a key comes twice: the caller, not the order of a list, decides which record counts.
 */
export type Packer = { add: (batch: FormattedRecords, at: number, mark: RowMark) => void; end: () => PackedRecords }

export function createPacker(): Packer {
  const staged = createRowList()
  const stagedApart = createRowList()
  const ids = new Set<string>()
  const textHashes: string[] = []
  const batches = new Set<FormattedRecords>()
  let isAllNew = true
  return {
    add: (batch, at, mark) => {
      const id = batch.ids[at] as string
      const count = ids.size
      if (ids.add(id).size === count) throw new Error(`A key comes twice among the records: ${id}.`)
      isAllNew &&= mark.isNew === true
      batches.add(batch)
      textHashes.push(batch.textHashes[at] as string)
      writeMark(batch.staged.bytes, batch.staged.ends[at] as number, mark)
      staged.add(batch.staged, at)
      if (batch.apart !== null) stagedApart.add(batch.apart, at)
    },
    end: () => ({
      ids: [...ids],
      textHashes,
      staged: staged.end(),
      stagedApart: stagedApart.end(),
      oddNames: new Set([...batches].flatMap(({ oddNames }) => oddNames)),
      isAllNew,
    }),
  }
}
