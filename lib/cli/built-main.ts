/**
 * The program that `npm run build` makes: `node dist/tieout.mjs <command> [arguments]`. It only
 * reads the app's files, and needs the packages of production alone.
 */

import { requireFreshBuild } from './builds/program-build.ts'
import { runCommandLine } from './command-line.ts'
import { OPERATING_COMMANDS } from './operating-commands.ts'
import { createLifetime } from './run/lifetime.ts'

const commands = Object.entries(OPERATING_COMMANDS).map(([name, load]): [string, typeof load] => [
  name,
  async () => {
    requireFreshBuild()
    return load()
  },
])

process.exit(await runCommandLine(process.argv.slice(2), createLifetime(), Object.fromEntries(commands)))
