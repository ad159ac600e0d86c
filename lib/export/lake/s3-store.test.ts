import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LakeSettings } from '#lib/env.ts'
import { Secret } from '#lib/secret.ts'
import { openS3Store } from './s3-store.ts'

// a server of others; it looks at keys, and not at signatures
const folder = mkdtempSync(join(tmpdir(), 'tieout-s3-'))
let server: S3rver
let settings: LakeSettings

beforeAll(async () => {
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'lake', configs: [] }],
  })
  const { port } = await server.run()
  settings = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: new Secret('S3RVER'),
  }
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const text = (bytes: Uint8Array | null) => (bytes === null ? null : Buffer.from(bytes).toString())
const hash = (bytes: string) => createHash('sha256').update(bytes).digest('hex')
const NAME = 'organization=1/lines/month=2026-09/lines.parquet'

test('puts, replaces, measures, reads and removes objects beneath its prefix', async () => {
  const store = openS3Store(settings, 'lake', 'tieout/desk')
  expect(store.where).toBe('s3://lake/tieout/desk')
  expect([await store.read(NAME), await store.sizeOf(NAME)]).toEqual([null, null])
  const staging = await store.openStaging('')
  for (const content of ['first', 'the second one']) {
    writeFileSync(join(staging, 'a'), content)
    await store.publish(NAME, join(staging, 'a'), hash(content))
    expect([text(await store.read(NAME)), await store.sizeOf(NAME)]).toEqual([content, content.length])
  }
  await store.closeStaging(staging)
  await store.write('manifest.json', Buffer.from('{}'))
  expect(text(await store.read('manifest.json'))).toBe('{}')
  // another prefix is another lake
  expect(await openS3Store(settings, 'lake', '').read('manifest.json')).toBeNull()
  for (const _ of ['there', 'gone']) await store.remove(NAME)
  expect(await store.read(NAME)).toBeNull()
})

test('a wrong key, a missing bucket and a store that is away are said, without the secret', async () => {
  const wrong = { ...settings, accessKeyId: 'NOBODY' }
  const failure = { code: 'lake-store' }
  const refused = await openS3Store(wrong, 'lake', '')
    .read('a')
    .catch((error: unknown) => error)
  expect(refused).toMatchObject({ ...failure, message: 'GET s3://lake/a: 403 InvalidAccessKeyId' })
  await expect(openS3Store(settings, 'nobody', '').read('a')).rejects.toMatchObject(failure)
  const away = { ...settings, endpoint: 'http://127.0.0.1:1' }
  await expect(openS3Store(away, 'lake', '').read('a')).rejects.toMatchObject(failure)
})

/** What AWS documents as the signature of a request, version 4, made here a second time. */
function sign({ method, url = '', headers }: IncomingMessage, secret: string): string {
  const [, day, region, names = ''] = /Credential=\w+\/(\d+)\/([\w-]+)\/s3.*SignedHeaders=([^,]+)/.exec(
    headers.authorization ?? '',
  ) as unknown as string[]
  const canonical = [
    method,
    url,
    '',
    ...names.split(';').map((name) => `${name}:${headers[name]}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ]
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    hash(canonical.join('\n')),
  ]
  const hmac = (key: string | Buffer, what: string) => createHmac('sha256', key).update(what).digest()
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (k, part) => hmac(k, `${part}`),
    `AWS4${secret}`,
  )
  return hmac(key, text.join('\n')).toString('hex')
}

test('signs each request, and the hash of what it carries with it', async () => {
  const seen: { isSigned: boolean; stated: unknown; sent: string; token: boolean }[] = []
  const judge = createServer(async (request, reply) => {
    const chunks = await request.toArray()
    const { authorization = '' } = request.headers
    seen.push({
      isSigned: authorization.endsWith(`Signature=${sign(request, 'S3RVER')}`),
      stated: request.headers['x-amz-content-sha256'],
      sent: hash(Buffer.concat(chunks).toString()),
      token: authorization.includes('x-amz-content-sha256'),
    })
    reply.writeHead(seen.length > 3 ? 302 : 200, seen.length > 3 ? { location: settings.endpoint } : {}).end()
  })
  await new Promise<void>((resolve) => judge.listen(0, '127.0.0.1', resolve))
  const store = openS3Store(
    { ...settings, endpoint: `http://127.0.0.1:${(judge.address() as AddressInfo).port}` },
    'lake',
    '',
  )
  const staged = join(folder, 'staged')
  writeFileSync(staged, 'a file')
  await store.publish(NAME, staged, hash('a file'))
  await store.write('manifest.json', Buffer.from('{}'))
  await store.read(NAME)
  for (const each of seen) expect(each).toEqual({ isSigned: true, stated: each.sent, sent: each.sent, token: true })
  expect(seen).toHaveLength(3)
  // signed for one place, and sent to no other
  await expect(store.read(NAME)).rejects.toMatchObject({ code: 'lake-store' })
  await new Promise((resolve) => judge.close(resolve))
})
