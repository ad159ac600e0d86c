import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { TEST_SETTINGS } from './test-support/test-client.ts'

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url))

function run(args: string[], settings: object | null): ChildProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', MAIN, ...args], { stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin?.end(settings === null ? '' : JSON.stringify(settings))
  return child
}

async function firstLine(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = ''
  for await (const chunk of stream ?? []) {
    text += chunk.toString()
    if (text.includes('\n')) break
  }
  return text.split('\n')[0] ?? ''
}

it('says when it is ready and stops cleanly on request', async () => {
  const child = run(['--stdin', '--port', '0'], TEST_SETTINGS)
  const { ready, url } = JSON.parse(await firstLine(child.stdout)) as { ready: boolean; url: string }
  expect(ready).toBe(true)
  expect((await fetch(`${url}/api/v1/profiles`)).status).toBe(401)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('says in one line what is wrong with its settings', async () => {
  const child = run(['--client-id', 'x'], null)
  const said = JSON.parse(await firstLine(child.stderr)) as { ready: boolean; error: string }
  expect(said).toMatchObject({ ready: false, error: 'clientSecret is missing' })
  expect((await once(child, 'exit'))[0]).toBe(1)
})
