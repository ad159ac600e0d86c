// `npm start`, `npm test` and the other scripts call this first. Nothing may be installed yet, so
// it uses only Node's own modules: checks Node, installs the packages of the lock file, and hands
// over to main.ts.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PARENT_CHECK_MS = 500
const isTerminal = process.stdout.isTTY === true

function fail(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/**
 * package.json asks for Node 22.12, the oldest that all packages are made for. On Node 20
 * everything works that our tests see, so it is not refused.
 */
function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(
    `Tieout needs Node 20.19 or later and this is Node ${process.versions.node}: install the current LTS from https://nodejs.org.`,
  )
}

/** npm's command line: the npm that runs us, otherwise the one on the path. */
function npmCommand() {
  const script = process.env.npm_execpath
  return script?.endsWith('.js') ? [process.execPath, script] : [process.platform === 'win32' ? 'npm.cmd' : 'npm']
}

async function installPackages() {
  const recordFile = join(root, 'node_modules', '.tieout-lock-hash')
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(recordFile) && readFileSync(recordFile, 'utf8') === hash) return
  const begin = Date.now()
  const show = (end) => {
    const seconds = Math.round((Date.now() - begin) / 1000)
    if (isTerminal) process.stdout.write(`\r  Installing npm packages  ${seconds} s${end}`)
    else if (end || seconds % 10 === 0) process.stdout.write(`  Installing npm packages  ${seconds} s\n`)
  }
  show('')
  const timer = setInterval(() => show(''), 1000)
  // ci: the lock file decides what is installed, and is never rewritten. The tests also need the
  // development packages.
  const [program, ...script] = npmCommand()
  const args = [...script, 'ci', '--no-audit', '--no-fund', '--include=dev', '--loglevel=error']
  const env = { ...process.env, PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1', CHECKPOINT_DISABLE: '1' }
  const { code, output } = await run(program, args, env)
  clearInterval(timer)
  show('\n')
  if (code !== 0) fail(`${output.trim()}\nThe npm packages could not be installed; npm's own words are above.`)
  checkEsbuild()
  writeFileSync(recordFile, hash)
}

function run(program, args, env) {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: program.endsWith('.cmd'),
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: error.message }))
    child.on('close', (code) => resolve({ code, output }))
  })
}

/**
 * npm may be set not to run install scripts; esbuild (inside tsx) mostly works without its own, not
 * always.
 */
function checkEsbuild() {
  const works = () =>
    spawnSync(process.execPath, ['-e', `require('esbuild').transformSync('1')`], { cwd: root }).status === 0
  if (works()) return
  spawnSync(process.execPath, ['install.js'], { cwd: join(root, 'node_modules', 'esbuild') })
  if (!works())
    fail(
      'The npm packages are installed, but esbuild does not run on this machine; `npm rebuild esbuild` may tell why.',
    )
}

/** A killed npm cannot tell us; a new parent process gives its end away. */
function stopWithNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, PARENT_CHECK_MS)
}

/** Runs the command in this process group and returns its exit code; passes signals on. */
function runCommand() {
  const args = ['--import', 'tsx', join(root, 'lib', 'cli', 'main.ts'), ...process.argv.slice(2)]
  // the channel tells the command that this process has ended, even when killed
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  stopWithNpm(() => child.kill('SIGTERM'))
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}

checkNode()
await installPackages()
runCommand()
