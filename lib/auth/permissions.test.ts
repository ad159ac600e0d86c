import { expect, test } from 'vitest'
import { isAllowed, PERMISSIONS, type Permission, ROLES } from './permissions.ts'

const ALL = Object.keys(PERMISSIONS) as Permission[]
const READING: Permission[] = ['read', 'export', 'own-account', 'keep-views']
const toAllowed = (role: (typeof ROLES)[number]) => ALL.filter((each) => isAllowed(role, each)).sort()

test('an auditor reads everything, the audit and the evidence too, and decides nothing', () => {
  expect(toAllowed('viewer')).toEqual([...READING].sort())
  expect(toAllowed('auditor')).toEqual([...READING, 'see-audit', 'see-evidence'].sort())
})

test('an approver may what finance may, and approve, lock and reopen besides', () => {
  expect(toAllowed('approver')).toEqual([...toAllowed('finance'), 'approve', 'lock', 'reopen'].sort())
  for (const closing of ['approve', 'lock', 'reopen'] as const)
    expect(ROLES.filter((role) => isAllowed(role, closing))).toEqual(['approver', 'admin'])
})

test('finance prepares, and an admin may everything', () => {
  expect(ROLES.filter((role) => isAllowed(role, 'prepare'))).toEqual(['finance', 'approver', 'admin'])
  expect(toAllowed('admin')).toEqual([...ALL].sort())
})

test('a role stands behind every role that it holds, so that the last of several counts', () => {
  for (const [at, role] of ROLES.entries())
    for (const later of ROLES.slice(at + 1))
      expect(
        toAllowed(role).every((each) => isAllowed(later, each)) ||
          !toAllowed(later).every((each) => isAllowed(role, each)),
        `${role} ${later}`,
      ).toBe(true)
})
