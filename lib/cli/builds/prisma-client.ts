import { toChildEnvironment } from '#lib/env.ts'
import { isBuilt, packageFile } from '../run/project-root.ts'
import { runTool } from '../run/run-tool.ts'
import { hashFiles, isRecorded, recordHash } from './file-hash.ts'

const RECORD = 'lib/db/generated/schema-hash'

/**
 * Generates Prisma Client when its schema or Prisma's version has changed. Needs no network and no
 * database.
 */
export async function preparePrismaClient(signal: AbortSignal): Promise<string> {
  if (isBuilt) return 'inside the program'
  const hash = hashFiles(['prisma/schema.prisma', 'node_modules/prisma/package.json'])
  if (isRecorded(RECORD, hash)) return 'up to date'
  await runTool({
    failure: 'Prisma Client could not be generated.',
    args: [packageFile('prisma/build/index.js'), 'generate', '--config', 'prisma/prisma.config.ts'],
    env: toChildEnvironment({ CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' }),
    signal,
  })
  recordHash(RECORD, hash)
  return 'generated'
}
