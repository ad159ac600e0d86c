import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { buildWorker } from '#lib/cli/builds/worker-build.ts'
import type { SyncWorld } from '#lib/sync/test-support/seed.ts'

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url))

/** The same for all that this test starts. */
let program: string | undefined

export type WorkerProcess = {
  pid: number
  ready: Promise<void>
  /** How it ended: its exit code, or the signal that killed it. */
  exited: Promise<number | NodeJS.Signals>
  kill: (signal: NodeJS.Signals) => void
  /** Everything it has written so far. */
  output: () => string
}

/** A real worker process for the world's database and sandbox, built as `npm run worker` does. */
export function startWorkerProcess(world: SyncWorld, flags: string[] = []): WorkerProcess {
  program ??= buildWorker().worker
  const child = spawn(process.execPath, [program, ...flags], {
    cwd: projectRoot,
    env: { NODE_ENV: 'test', PATH: process.env.PATH, LOG_LEVEL: 'info', ...world.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let onReady = () => {}
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('"ready":true')) onReady()
    })
  return {
    pid: child.pid ?? -1,
    ready: new Promise((resolve) => {
      onReady = resolve
    }),
    exited: new Promise((resolve) => child.on('exit', (code, signal) => resolve(signal ?? code ?? -1))),
    kill: (signal) => child.kill(signal),
    output: () => output,
  }
}
