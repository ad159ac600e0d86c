import { expect, test } from 'vitest'
import { renderPart } from '#components/query/test-support/test-render.ts'
import type { ConnectionId } from '#lib/ids.ts'
import { STORED_LINE_FIELDS } from '#lib/ledger/fields/line-fields.ts'
import type { LineDetail } from '#lib/ledger/model.ts'
import { decimal, makeLine } from '#lib/ledger/test-support/seed.ts'
import { toKeptReasons } from '#lib/reconcile/reason.ts'
import { LineBody } from './line-panel.client.tsx'

/** Shown elsewhere: in the raw payload, by the profile's name, or in the list beside the panel. */
// the country is part of the place
const NOT_SHOWN = ['id', 'profileId', 'expenseDate', 'country']

test('shows every field of a line that the ledger has, and reasons only where they were looked for', () => {
  const { proof, explanations, notes, raw, ...fields } = makeLine({ taxAmount: decimal('18.00') })
  const line: LineDetail = {
    ...fields,
    ...proof,
    findingCodes: proof.findings.map(({ code }) => code),
    noteCodes: [...notes],
    explainedCodes: toKeptReasons(explanations)?.explained ?? null,
    reasonCodes: toKeptReasons(explanations)?.reasons ?? null,
    connectionId: 'c' as ConnectionId,
    connectionName: 'Acme Europe',
    rawText: raw,
    firstSeenAt: '2026-03-04T05:06:07.000Z',
    changedAt: '2026-03-04T05:06:07.000Z',
    habits: {},
    history: [],
    comparisons: [],
  }
  const read = new Set<PropertyKey>()
  const watched = new Proxy(line, {
    get: (target, name) => {
      read.add(name)
      return Reflect.get(target, name)
    },
  })
  renderPart(<LineBody line={watched} />)
  // a finding that nobody has looked at yet is not called unexplained
  expect(renderPart(<LineBody line={line} />)).toContain('Unexplained')
  const unjudged = renderPart(<LineBody line={{ ...line, explainedCodes: null, reasonCodes: null }} />)
  expect(unjudged.replaceAll(/<[^>]*>/g, '')).not.toContain('plained')
  const unread = Object.keys(STORED_LINE_FIELDS).filter((name) => !read.has(name))
  expect(unread).toEqual(NOT_SHOWN)
})
