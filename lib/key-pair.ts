/**
 * The one place that makes key pairs. A key that Node.js hands out straight from its generator
 * shares a lock with the generator's job. If the garbage collector takes the job away while the key
 * is written out as a JWK, the process waits for itself for ever (seen in Node.js 20.20.2: a start
 * of the app that never ended, once in some thousand runs). A key that is read back from its bytes
 * shares nothing.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'

/** A new P-256 key pair. */
export function generateKeyPair(): { privateKey: KeyObject; publicKey: KeyObject } {
  const { privateKey: der } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  const privateKey = createPrivateKey({ key: der, type: 'pkcs8', format: 'der' })
  return { privateKey, publicKey: createPublicKey(privateKey) }
}
