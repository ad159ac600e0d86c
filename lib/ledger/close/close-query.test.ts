import { expect, test } from 'vitest'
import type { ConnectionId } from '#lib/ids.ts'
import { toSearchParams } from '../query/search-params.ts'
import { type CloseQuery, parseCloseQuery, writeCloseQuery } from './close-query.ts'

const connectionId = '0b6f1a52-4d0e-4c7e-9d1f-1f4d3f0a2b11' as ConnectionId
const read = (search: string) => parseCloseQuery(toSearchParams(new URLSearchParams(search)))

test('what is written is read as the same', () => {
  const queries: CloseQuery[] = [
    { chosen: null, until: null, unlockedOnly: false },
    {
      chosen: { kind: 'profile_month', connectionId, profileId: 'a~b & c', month: '2026-10' },
      until: '2026-11',
      unlockedOnly: true,
    },
    { chosen: { kind: 'connection_month', connectionId, month: '2025-01' }, until: null, unlockedOnly: false },
  ]
  for (const query of queries) expect(read(writeCloseQuery(query))).toEqual(query)
})

test('what names no month or nobody chooses nothing', () => {
  for (const search of [
    '',
    'period=2026-13&profile=x',
    `period=2026-10`,
    `profile=${connectionId}`,
    'period=2026-10&profile=somebody',
    `period=2026-10&profile=none~7`,
  ])
    expect(read(search), search).toEqual({ chosen: null, until: null, unlockedOnly: false })
})
