import type { Lifetime } from './lifetime.ts'
import { preparePrismaClient } from './prisma-client.ts'
import { runStep } from './steps.ts'
import { buildWebApp } from './web-build.ts'
import { buildWorker } from './worker-build.ts'

/**
 * Makes what the processes run from, and starts nothing: after it they only read the program's files, so that these can belong
 * to another system user than the processes'.
 */
export async function build(lifetime: Lifetime): Promise<void> {
  await runStep('Prisma Client', () => preparePrismaClient(lifetime.signal))
  await runStep('Web app', () => buildWebApp(lifetime.signal))
  await runStep('Worker', async () => {
    buildWorker()
    return undefined
  })
}
