import { expect, test } from 'vitest'
import { toConnectionName } from './name-connection.ts'

const profile = (name: string | null, legalName: string | null) => ({ name, legalName })

test.each([
  [
    'the legal name that all profiles share',
    [profile('Berlin', 'Acme GmbH'), profile('Munich', 'Acme GmbH')],
    'Acme GmbH',
  ],
  [
    'the first profile’s own name when they differ',
    [profile('Acme DE', 'Acme GmbH'), profile('UK', 'Acme Ltd')],
    'Acme DE',
  ],
  ['the name of the only profile without a legal name', [profile('Acme', null)], 'Acme'],
  ['the legal name of a first profile without a name', [profile(null, 'Acme GmbH'), profile('UK', null)], 'Acme GmbH'],
  ['nothing when no profile has a name', [profile(' ', null)], null],
  ['nothing without profiles', [], null],
])('names an account after %s', (_, profiles, name) => {
  expect(toConnectionName(profiles)).toBe(name)
})
