/** Every place with something sealed to a key: counted, resealed, and destroyed with it. */
import { toScimSealContext } from './scim-key.ts'
import type { SealContext } from './vault.ts'

export type SealedRow = { key: string[]; sealed: string; contextId: string; generation: number }

export type SealedPlace = {
  name: 'tokens' | 'consents' | 'scim keys' | 'kept answers'
  table: string
  /** The table's key, the organization first. */
  keyColumns: string[]
  sealedColumn: string
  keyIdColumn: string
  /** What the sealed text's header names besides the generation. */
  contextColumn: string
  toContext: (contextId: string, generation: number) => SealContext
}

/** The seal context of a kept answer of the token endpoint. */
export function toAnswerSealContext(connectionId: string, generation: number): SealContext {
  return { connectionId: `token-answer ${connectionId}`, generation }
}

const toTokenContext = (connectionId: string, generation: number): SealContext => ({ connectionId, generation })

export const SEALED_PLACES: readonly SealedPlace[] = [
  {
    name: 'tokens',
    table: 'connection_credential',
    keyColumns: ['organization_id', 'connection_id'],
    sealedColumn: 'sealed_tokens',
    keyIdColumn: 'key_id',
    contextColumn: 'connection_id',
    toContext: toTokenContext,
  },
  {
    name: 'consents',
    table: 'connection_candidate',
    keyColumns: ['organization_id', 'connection_id'],
    sealedColumn: 'sealed_tokens',
    keyIdColumn: 'key_id',
    contextColumn: 'sealed_for',
    toContext: toTokenContext,
  },
  {
    name: 'scim keys',
    table: 'scim_credential',
    keyColumns: ['organization_id', 'connection_id'],
    sealedColumn: 'sealed_key',
    keyIdColumn: 'key_id',
    contextColumn: 'connection_id',
    toContext: toScimSealContext,
  },
  {
    name: 'kept answers',
    table: 'refresh_attempt',
    keyColumns: ['organization_id', 'id'],
    sealedColumn: 'sealed_answer',
    keyIdColumn: 'answer_key_id',
    contextColumn: 'connection_id',
    toContext: toAnswerSealContext,
  },
]
