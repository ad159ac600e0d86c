/** For tests: a process that tries to sign in many times at once and prints the successes. */
import { countAttempt } from '../limits/sign-in-throttle.ts'

const [account = '', network = '', attempts = '0'] = process.argv.slice(2)
// connects to the database before the counted attempts begin
await countAttempt({ account: 'nobody', network: `nowhere ${process.pid}`, browser: null })
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
const who = { account, network, browser: null }
const waits = await Promise.all(Array.from({ length: Number(attempts) }, () => countAttempt(who)))
process.stdout.write(`${waits.filter((seconds) => seconds === 0).length}\n`)
process.exit(0)
