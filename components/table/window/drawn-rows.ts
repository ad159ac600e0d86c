/** The rows of a list as they come and as they are drawn. */

/** What is drawn; a row that is not there yet is null. */
export type Drawn<Row> = {
  /** The place of the first drawn row. */
  first: number
  rows: (Row | null)[]
  /** Empty room before and after the drawn rows, in pixels. */
  above: number
  below: number
  hasFailed: boolean
}

/** The places of the first row in sight and of the one after the last. */
export type InSight = { from: number; to: number }

/** A page from the server. */
export type Source<Row> = { rows: Row[]; place: number; count: number }

/** One whose count may be on its way (null): the list has more rows than these. */
export type EarlySource<Row> = Omit<Source<Row>, 'count'> & { count: number | null }
