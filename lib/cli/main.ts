/**
 * The command line behind the package scripts: `main.ts <command> [arguments]`, called by
 * bootstrap.mjs.
 */
import { runCommandLine } from './command-line.ts'
import { COMMANDS } from './commands.ts'
import { createLifetime } from './run/lifetime.ts'

process.exit(await runCommandLine(process.argv.slice(2), createLifetime(), COMMANDS))
