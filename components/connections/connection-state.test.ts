import { expect, test } from 'vitest'
import type { StateCause } from '#lib/connections/model.ts'
import { CAUSES, compareScopes, isBusy, toStateText } from './connection-state.ts'
import { ago, makeConnection, makeRun } from './test-support/test-connection.ts'

const run = makeRun()

test('gives every state its own shape and text', () => {
  expect(toStateText(makeConnection({ run }))).toMatchObject({ mark: 'partial', text: 'Syncing' })
  expect(toStateText(makeConnection({ run: { ...run, status: 'failed' } }))).toMatchObject({ mark: 'failed' })
  expect(toStateText(makeConnection({ run: { ...run, waitsUntil: ago(-5) } }))).toMatchObject({
    mark: 'held',
    text: 'Sync waiting',
  })
  expect(toStateText(makeConnection({ run: { ...run, status: 'paused' } }))).toEqual({
    mark: 'held',
    text: 'Sync paused',
    detail: 'Lines 350 of 1,612',
  })
  expect(toStateText(makeConnection())).toMatchObject({ mark: 'good', text: 'Active' })
  expect(toStateText(makeConnection({ state: 'refreshing' }))).toMatchObject({
    mark: 'good',
    text: 'Renewing its tokens',
  })
  expect(toStateText(makeConnection({ state: 'pending' }))).toMatchObject({
    mark: 'open',
    text: 'Checking the account',
  })
  for (const cause of Object.keys(CAUSES) as StateCause[])
    expect(toStateText(makeConnection({ state: 'needs_reconnect', stateCause: cause }))).toEqual({
      mark: 'failed',
      text: 'Needs reconnect',
      detail: CAUSES[cause],
    })
  const gone = makeConnection({ state: 'disconnected', dataDeletedAt: ago(1) })
  expect(toStateText(gone).detail).toBe('its data was deleted')
  expect(toStateText({ ...gone, dataDeletedAt: null }).detail).toBe('its data is kept')
})

test('follows a connection only while something is under way', () => {
  expect(isBusy(makeConnection())).toBe(false)
  expect(isBusy(makeConnection({ run }))).toBe(true)
  for (const state of ['pending', 'disconnecting', 'refreshing'] as const)
    expect(isBusy(makeConnection({ state }))).toBe(true)
})

test('names the scopes where asked and granted differ', () => {
  expect(compareScopes({ scopesAsked: ['a:r', 'b:r'], scopesGranted: ['b:r', 'c:r'] })).toEqual({
    missing: ['a:r'],
    extra: ['c:r'],
  })
})
