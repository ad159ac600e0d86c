import { pool } from './pool.ts'

/** Vacuums a table now, as PostgreSQL would later. `table` must be our own text. */
export async function vacuum(table: string): Promise<void> {
  await pool().query(`vacuum (analyze) ${table}`)
}
