import { expect, test } from 'vitest'
import { projectRoot } from '#lib/cli/run/project-root.ts'
import { findMisfit } from './apply-breakage.ts'
import { BREAKAGES } from './list.ts'

test('every breakage of the list still applies to the code, and its tests exist', () => {
  const misfits = BREAKAGES.map((breakage) => ({ id: breakage.id, misfit: findMisfit(projectRoot, breakage) }))
  expect(misfits.filter(({ misfit }) => misfit !== null)).toEqual([])
})

test('breakages have unique names, and each says in a sentence what it breaks and what may stand behind it', () => {
  expect(new Set(BREAKAGES.map(({ id }) => id)).size).toBe(BREAKAGES.length)
  expect(BREAKAGES.length).toBeGreaterThanOrEqual(190)
  for (const { id, promise, harmless, tests } of BREAKAGES) {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    for (const sentence of [promise, harmless ?? promise]) expect(sentence, id).toMatch(/^[A-Z].*\.$/)
    expect(tests, id).not.toEqual([])
  }
})
