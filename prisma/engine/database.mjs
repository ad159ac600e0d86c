/** The few things that Prisma asks of a whole database: does it answer, make it, drop it. */
import pg from 'pg'

/** Runs `work` with one connection to `url` and closes it. */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

export function databaseName(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || 'postgres'
}

/** The same server's address for another database. */
export function urlOfDatabase(url, name) {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(name)}`
  return other.toString()
}

export function createDatabase(url, name) {
  return withClient(urlOfDatabase(url, 'postgres'), (client) =>
    client.query(`create database ${pg.escapeIdentifier(name)}`),
  )
}

export function dropDatabase(url, name) {
  const sql = `drop database if exists ${pg.escapeIdentifier(name)} with (force)`
  return withClient(urlOfDatabase(url, 'postgres'), (client) => client.query(sql))
}

const COMMANDS = {
  'can-connect-to-database': async (url) => {
    await withClient(url, (client) => client.query('select 1'))
    return 'Connection successful'
  },
  'create-database': async (url) => {
    await createDatabase(url, databaseName(url))
    return `Database '${databaseName(url)}' was successfully created.`
  },
  'drop-database': async (url) => {
    await dropDatabase(url, databaseName(url))
    return `Database '${databaseName(url)}' was successfully dropped.`
  },
}

/**
 * Runs `schema-engine cli <command>` and returns the exit code; a failure goes to standard error in
 * the CLI's own form.
 */
export async function runDatabaseCommand(command, url) {
  process.stderr.write('{}\n') // the CLI leaves the first line out
  try {
    if (!Object.hasOwn(COMMANDS, command)) throw new Error(`There is no command ${command}.`)
    process.stdout.write(`${await COMMANDS[command](url)}\n`)
    return 0
  } catch (error) {
    const [code, message] = toPrismaError(error, url)
    const fields = { message, error_code: code, is_panic: false }
    process.stderr.write(
      `${JSON.stringify({ timestamp: new Date(), level: 'ERROR', target: 'schema_engine', fields })}\n`,
    )
    return 1
  }
}

/** Prisma's code for what went wrong; its CLI acts on some (P1003: offer to make the database). */
function toPrismaError(error, url) {
  const { hostname, port, username } = new URL(url)
  const server = `${hostname}:${port || 5432}`
  switch (error.code) {
    case '28P01':
      return ['P1000', `The server at ${server} refuses the password of ${username}.`]
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
      return ['P1001', `No database server can be reached at ${server}.`]
    case '3D000':
      return ['P1003', `There is no database ${databaseName(url)} on ${server}.`]
    case '42P04':
      return ['P1009', `There is a database ${databaseName(url)} on ${server} already.`]
    default:
      return ['P1010', error.message]
  }
}
