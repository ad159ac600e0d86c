import { SETTING_NAMES, toChildEnvironment } from '#lib/env.ts'
import { isBuilt, packageFile } from '../run/project-root.ts'
import { runTool } from '../run/run-tool.ts'
import { hashFiles, isRecorded, notBuilt, recordHash } from './file-hash.ts'

const RECORD = '.next/tieout-build-hash'
/** The files that the web app is built of, with some that are not. */
export const WEB_SOURCES = [
  ...[
    'app',
    'components',
    'lib',
    'public',
    'prisma/schema.prisma',
    'next.config.mjs',
    'postcss.config.mjs',
    'proxy.ts',
    'instrumentation.ts',
  ],
  'tsconfig.json',
  'package.json',
  'package-lock.json',
]
const NO_SETTINGS = Object.fromEntries(SETTING_NAMES.map((name) => [name, undefined]))
const NOT_IN_THE_WEB_APP = /\.test\.tsx?$|^lib\/(cli|soak|bench|world|sandbox|worker|db\/generated)\/|\/test-support\//

/** Builds the web app for production when one of its files has changed since the last build. */
export async function buildWebApp(signal: AbortSignal): Promise<string> {
  const hash = hashFiles(WEB_SOURCES, (path) => !NOT_IN_THE_WEB_APP.test(path))
  if (isRecorded(RECORD, hash)) return 'up to date'
  if (isBuilt) throw notBuilt()
  await runTool({
    failure: 'The web app could not be built.',
    args: [packageFile('next/dist/bin/next'), 'build'],
    // the build is the same whatever the settings; a wrong one would end it with Next.js's words
    env: toChildEnvironment({
      ...NO_SETTINGS,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      TIEOUT_BUILD_ID: hash.slice(0, 20),
    }),
    signal,
  })
  recordHash(RECORD, hash)
  return 'built'
}
