/** Web servers behind nginx, at PostgreSQL itself and through pgbouncer, and a ledger to read. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Lifetime } from '#lib/cli/run/lifetime.ts'
import { findFreePort } from '#lib/db/embedded-postgres.ts'
import { withSystemSql } from '#lib/db/tenant.ts'
import type { ConnectionId, OrganizationId, UserId } from '#lib/ids.ts'
import { addFilledAccount } from '#lib/world/fill-ledger.ts'
import { type OwnNginx, requireNginx, startOwnNginx } from '#lib/world/own-nginx.ts'
import { requirePooler, startOwnPooler } from '#lib/world/own-pooler.ts'
import { type OwnWeb, type OwnWebOptions, startOwnWeb } from '#lib/world/own-web.ts'
import { type OwnWorld, openOwnWorld } from '#lib/world/own-world.ts'
import { seeAllTime } from '../ui/see-all-time.ts'

export const WEB_SERVERS = 3
/** Of the account that every organization connects. */
export const ACCOUNT_LINES = 2_000
const PEOPLE = 4

/** How processes reach PostgreSQL. */
export const WAYS = ['direct', 'pooled'] as const
export type Way = (typeof WAYS)[number]

/** Where nginx stands before one web server, and before all of them. */
type Doors = { one: OwnNginx; all: OwnNginx }

export type Fleet = {
  world: OwnWorld
  webs: OwnWeb[]
  /** Starts a web server of the first way again, at its port. */
  restartWeb: (port: number) => Promise<OwnWeb>
  doors: Record<Way, Doors>
  /** A worker that reaches PostgreSQL in this way. */
  startWorker: (way: Way) => ReturnType<OwnWorld['startWorker']>
  /** What people of one organization send with each request; they have chosen all time. */
  cookies: string[]
  ledger: { organizationId: OrganizationId; connectionId: ConnectionId; lineId: string }
}

/** @throws CommandError that says what is not installed. */
export async function openFleet(lifetime: Lifetime, lines: number): Promise<Fleet> {
  requireNginx()
  requirePooler()
  const size = { kind: 'huge', lines: ACCOUNT_LINES } as const
  const world = await openOwnWorld(lifetime, {
    account: 'nordlicht',
    size,
    keptPageBytes: 2 ** 28,
    pageSize: 50,
    workerFlags: [],
  })
  const pooler = await startOwnPooler(join(world.folder, 'pgbouncer'), [world.databaseUrl])
  lifetime.onEnd('pgbouncer', pooler.stop)
  const reach: Record<Way, { databaseUrl: string; variables: Record<string, string> }> = {
    direct: { databaseUrl: world.databaseUrl, variables: {} },
    pooled: {
      databaseUrl: pooler.through(world.databaseUrl),
      variables: { DATABASE_DIRECT_URL: world.databaseUrl },
    },
  }
  const doorPort = await findFreePort()
  const shared = { appUrl: `http://127.0.0.1:${doorPort}`, sessionSecret: randomBytes(48).toString('base64url') }
  const options = (way: Way, port: number): OwnWebOptions => ({
    ...shared,
    port,
    databaseUrl: reach[way].databaseUrl,
    variables: { ...reach[way].variables, CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' },
  })
  const startWebs = async (way: Way) => {
    const started: OwnWeb[] = []
    for (let at = 0; at < WEB_SERVERS; at++)
      started.push(await startOwnWeb(lifetime, world, options(way, await findFreePort())))
    return started
  }
  const openDoors = async (way: Way, webs: OwnWeb[], port: number): Promise<Doors> => {
    const servers = webs.map((web) => web.port)
    const folder = (name: string) => join(world.folder, `nginx-${way}-${name}`)
    const all = await startOwnNginx(lifetime, { folder: folder('all'), port, servers })
    const one = { folder: folder('one'), port: await findFreePort(), servers: servers.slice(0, 1) }
    return { all, one: await startOwnNginx(lifetime, one) }
  }
  const [direct, pooled] = [await startWebs('direct'), await startWebs('pooled')]
  const doors = {
    direct: await openDoors('direct', direct, doorPort),
    pooled: await openDoors('pooled', pooled, await findFreePort()),
  }
  const [web] = direct as [OwnWeb]
  const people = [seeAllTime(await web.signIn('person-0@example.com'))]
  const { user } = people[0] as { user: { organizationId: OrganizationId; userId: UserId } }
  for (let at = 1; at < PEOPLE; at++)
    people.push(seeAllTime(await web.signIn(`person-${at}@example.com`, user.organizationId)))
  const connectionId = await addFilledAccount(user, lines)
  const [line] = await withSystemSql((sql) =>
    sql<{ id: string }>('select min(id) as id from line where connection_id = $1', [connectionId]),
  )
  return {
    world,
    webs: direct,
    restartWeb: (port) => startOwnWeb(lifetime, world, options('direct', port)),
    doors,
    startWorker: (way) => world.startWorker(reach[way].databaseUrl, reach[way].variables),
    cookies: people.map(({ cookie }) => cookie),
    ledger: { organizationId: user.organizationId, connectionId, lineId: line?.id as string },
  }
}
