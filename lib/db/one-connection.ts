import pg from 'pg'

/** One connection outside the pool, for what runs once: rights, looks of operators, tools. */
export type Connection = pg.Client

/**
 * Opens a connection that the caller ends. With `patienceMs`, neither connecting nor a statement
 * takes longer. @throws the driver's error when the server does not answer.
 */
export async function openConnection(url: string, { patienceMs }: { patienceMs?: number } = {}): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    ...(patienceMs === undefined ? {} : { connectionTimeoutMillis: patienceMs, query_timeout: patienceMs }),
  })
  // one that breaks between two statements fails the next; unheard, it would end the process
  client.on('error', () => undefined)
  try {
    await client.connect()
    return client
  } catch (thrown) {
    await client.end().catch(() => undefined)
    throw thrown
  }
}

/** Gives `work` a connection, and ends it however `work` ends. */
export async function withConnection<T>(url: string, work: (client: Connection) => Promise<T>): Promise<T> {
  const client = await openConnection(url)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
