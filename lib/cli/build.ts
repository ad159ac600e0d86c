import type { Lifetime } from './run/lifetime.ts'
import { preparePrismaClient } from './run/prisma-client.ts'
import { runStep } from './run/steps.ts'
import { buildWebApp } from './run/web-build.ts'
import { buildWorker } from './run/worker-build.ts'

/**
 * Makes what the processes run from, and starts nothing: after it they only read the program's
 * files, so that these can belong to another system user than the processes'.
 */
export async function build(lifetime: Lifetime): Promise<void> {
  await runStep('Prisma Client', () => preparePrismaClient(lifetime.signal))
  await runStep('Web app', () => buildWebApp(lifetime.signal))
  await runStep('Worker', async () => {
    buildWorker()
    return undefined
  })
}
