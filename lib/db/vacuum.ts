import { pool } from './pool.ts'

/**
 * Vacuums a table at once, as PostgreSQL does by itself some time after a load. `table` is text of
 * the program's own.
 */
export async function vacuum(table: string): Promise<void> {
  await pool().query(`vacuum (analyze) ${table}`)
}
