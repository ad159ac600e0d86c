import { preparePrismaClient } from './builds/prisma-client.ts'
import { buildProgram } from './builds/program-build.ts'
import { buildWebApp } from './builds/web-build.ts'
import { buildWorker } from './builds/worker-build.ts'
import type { Lifetime } from './run/lifetime.ts'
import { runStep } from './run/steps.ts'

/**
 * Builds what the processes run from, and starts nothing. Afterwards they only read the app's
 * files, which can then belong to another system user.
 */
export async function build(lifetime: Lifetime): Promise<void> {
  await runStep('Prisma Client', () => preparePrismaClient(lifetime.signal))
  await runStep('Web app', () => buildWebApp(lifetime.signal))
  await runStep('Worker', async () => {
    buildWorker()
    return undefined
  })
  await runStep('Commands', async () => {
    buildProgram()
    return undefined
  })
}
