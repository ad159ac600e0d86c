import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import type { LakeSettings } from '#lib/env.ts'
import { OperationalError } from '#lib/errors.ts'
import type { LakeStore } from './lake-store.ts'

const TRIES = 3

/**
 * A lake in a bucket of an S3-compatible store, at `<endpoint>/<bucket>/<prefix>/…`. Each
 * request is signed (AWS Signature Version 4), with the SHA-256 of what it carries, so the store
 * refuses other bytes. An object takes its place whole.
 */
export function openS3Store(
  { endpoint, region, accessKeyId, secretAccessKey }: LakeSettings,
  bucket: string,
  prefix: string,
): LakeStore {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    region,
    service: 's3',
    retries: TRIES,
  })
  const where = ['s3:/', bucket, prefix].filter((part) => part !== '').join('/')

  /** The answer, or null for "there is none". Redirects are not followed: nothing signs them. */
  async function ask(method: string, path: string, sent?: { body: Blob | Uint8Array; sha256: string }) {
    const key = [bucket, prefix, path].filter((part) => part !== '').join('/')
    const url = `${endpoint}/${key.split('/').map(encodeURIComponent).join('/')}`
    const headers = { 'x-amz-content-sha256': sent?.sha256 ?? NO_BYTES }
    const reply = await client
      .fetch(url, { method, headers, body: sent?.body as BodyInit | undefined, redirect: 'error' })
      .catch((error: Error) => {
        const cause = error.cause instanceof Error ? error.cause : error
        throw new OperationalError('lake-store', `${method} ${where}/${path}: ${cause.message}`)
      })
    if (reply.ok) return reply
    const said = await reply.text()
    if (reply.status === 404 && !said.includes('NoSuchBucket')) return null
    const code = /<Code>(\w{1,60})<\/Code>/.exec(said)?.[1] ?? ''
    throw new OperationalError('lake-store', `${method} ${where}/${path}: ${reply.status} ${code}`)
  }

  return {
    where,
    openStaging: () => mkdtemp(join(tmpdir(), 'tieout-lake-')),
    closeStaging: (staging) => rm(staging, { recursive: true, force: true }),
    read: async (path) => {
      const reply = await ask('GET', path)
      return reply === null ? null : new Uint8Array(await reply.arrayBuffer())
    },
    sizeOf: async (path) => {
      const length = (await ask('HEAD', path))?.headers.get('content-length')
      return length === undefined || length === null ? null : Number(length)
    },
    publish: async (path, staged, sha256) => {
      await ask('PUT', path, { body: await openAsBlob(staged), sha256 })
    },
    write: async (path, bytes) => {
      await ask('PUT', path, { body: bytes, sha256: createHash('sha256').update(bytes).digest('hex') })
    },
    remove: async (path) => {
      await ask('DELETE', path)
    },
  }
}

const NO_BYTES = createHash('sha256').digest('hex')
