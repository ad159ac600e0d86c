/** The browser's own reading and writing of WebAuthn's JSON; not every browser has it. */
type Readers = {
  parseCreationOptionsFromJSON?: (options: unknown) => PublicKeyCredentialCreationOptions
  parseRequestOptionsFromJSON?: (options: unknown) => PublicKeyCredentialRequestOptions
}
type WrittenCredential = Credential & { toJSON: () => unknown }

const readers = () => (typeof PublicKeyCredential === 'undefined' ? {} : (PublicKeyCredential as unknown as Readers))

/** True when this browser can make passkeys and sign in with them. */
export function canUsePasskeys(): boolean {
  const { parseCreationOptionsFromJSON, parseRequestOptionsFromJSON } = readers()
  return parseCreationOptionsFromJSON !== undefined && parseRequestOptionsFromJSON !== undefined
}

/** Null when the person cancels, or the device cannot. */
export async function createPasskey(options: unknown): Promise<unknown> {
  const publicKey = readers().parseCreationOptionsFromJSON?.(options)
  return write(publicKey === undefined ? null : navigator.credentials.create({ publicKey }))
}

/** As `createPasskey`. */
export async function askPasskey(options: unknown): Promise<unknown> {
  const publicKey = readers().parseRequestOptionsFromJSON?.(options)
  return write(publicKey === undefined ? null : navigator.credentials.get({ publicKey }))
}

async function write(asked: Promise<Credential | null> | null): Promise<unknown> {
  try {
    return ((await asked) as WrittenCredential | null)?.toJSON() ?? null
  } catch {
    // the browser says neither whether it was cancelled nor what the device lacks
    return null
  }
}

/** Posts JSON to a route of ours. @returns its answer, or null when it refused. */
export async function postJson(address: string, body: unknown = {}): Promise<unknown> {
  try {
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return reply.ok ? await reply.json() : null
  } catch {
    return null
  }
}
