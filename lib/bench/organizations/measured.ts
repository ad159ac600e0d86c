/** What was measured on one engine. */
import type { Answer } from '../desk/desk-answers.ts'
import type { Download } from '../desk/export-peer.ts'
import type { Runs } from '../fleet/read-runs.ts'
import type { Engine } from './engines.ts'
import type { PagesRead } from './read-pages.ts'

/** Refusals by what was asked, with the engine's words. */
export type Summaries = { answers: Answer[]; refused: Map<string, string> }

export type WholeFile = { ours: Download[]; copies: number[]; refused: string | null }

/** `figures`: how many kept ones of some accounts are wrong, or why they could not be compared. */
export type Backfills = { seconds: number; ended: Record<string, number>; runs: Runs; figures: string }

export type Measured = {
  engine: Engine
  summaries: Summaries
  file: WholeFile
  /** By the reader. */
  pages: Map<string, PagesRead>
  backfills: Backfills
}
