/** For tests: an authenticator in software (WebAuthn level 3, 6), with one ES256 key. */
import { createHash, randomBytes, sign } from 'node:crypto'
import { generateKeyPair } from '#lib/key-pair.ts'

const FLAGS = { present: 1, verified: 4, hasKey: 64 }

export type AuthenticatorOptions = {
  origin?: string
  host?: string
  /** False: nobody showed a finger or a PIN. */
  isVerified?: boolean
  /** Uses as it counts them. */
  counter?: number
}

type Options = { challenge: string; user?: { id: string } }

/** One passkey. `create` answers registration options, `get` those of signing in. */
export function createTestAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPair()
  const id = randomBytes(32)
  let userHandle = ''

  const toClientData = (type: string, challenge: string, from: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }))

  const toData = (options: AuthenticatorOptions, more: Buffer = Buffer.alloc(0)) => {
    const { host = new URL(origin).hostname, isVerified = true, counter = 0 } = options
    const flags = FLAGS.present | (isVerified ? FLAGS.verified : 0) | (more.length > 0 ? FLAGS.hasKey : 0)
    const head = Buffer.alloc(5)
    head.writeUInt8(flags)
    head.writeUInt32BE(counter, 1)
    return Buffer.concat([createHash('sha256').update(host).digest(), head, more])
  }

  const wrap = (response: Record<string, unknown>) => {
    const name = id.toString('base64url')
    return { id: name, rawId: name, type: 'public-key', clientExtensionResults: {}, response }
  }

  return {
    create: ({ challenge, user }: Options, options: AuthenticatorOptions = {}) => {
      userHandle = user?.id ?? ''
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      // {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053, 7.1.1), in CBOR
      const key = Buffer.concat([
        Buffer.from('a5010203262001215820', 'hex'),
        Buffer.from(x, 'base64url'),
        Buffer.from('225820', 'hex'),
        Buffer.from(y, 'base64url'),
      ])
      const length = Buffer.from([0, id.length])
      const data = toData(options, Buffer.concat([Buffer.alloc(16), length, id, key]))
      // {fmt: "none", attStmt: {}, authData: data}
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex'),
        Buffer.from([data.length]),
        data,
      ])
      return wrap({
        clientDataJSON: toClientData('webauthn.create', challenge, options.origin ?? origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    get: ({ challenge }: Options, options: AuthenticatorOptions = {}) => {
      const client = toClientData('webauthn.get', challenge, options.origin ?? origin)
      const data = toData(options)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return wrap({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle,
      })
    },
  }
}
