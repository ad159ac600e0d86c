/** Kept answers whose tables their own files make (kept-answers.sql, decision 046). */

type Query = <Row extends Record<string, unknown>>(text: string) => Promise<Row[]>

/** `key`: the columns that name a row of an account; empty where only all of them do. */
export type KeptAnswer = { table: string; key: string[] }

/** Those of this database, by name. */
export function listKeptAnswers(query: Query): Promise<KeptAnswer[]> {
  return query<KeptAnswer>(
    `select c.relname::text as table,
            array(select a.attname::text from pg_index i, unnest(i.indkey) with ordinality k (number, place)
                  join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
                  where i.indrelid = c.oid and i.indisprimary and a.attname not in ('organization_id', 'connection_id')
                  order by k.place) as key
     from pg_class c where c.relnamespace = 'public'::regnamespace and obj_description(c.oid, 'pg_class') = 'kept answer'
     order by 1`,
  )
}
