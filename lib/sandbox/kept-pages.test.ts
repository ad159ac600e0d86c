import { expect, test } from 'vitest'
import { createAccounts } from './data/account.ts'
import { keepPages } from './kept-pages.ts'

const [account] = createAccounts('hostile', 1)

test('renders a page once, and again after the account changes', () => {
  if (!account) throw new Error('no account')
  let rendered = 0
  const read = (pages = kept) =>
    pages.read(account, 'offset=0', () => {
      rendered += 1
      return `page ${rendered}`
    })
  const kept = keepPages(1000)
  expect([read().toString(), read().toString()]).toEqual(['page 1', 'page 1'])
  account.revision += 1
  expect(read().toString()).toBe('page 2')
})

test('keeps nothing beyond its bytes, and still serves every page', () => {
  if (!account) throw new Error('no account')
  let rendered = 0
  const none = keepPages(0)
  const read = () =>
    none.read(account, 'offset=0', () => {
      rendered += 1
      return `page ${rendered}`
    })
  expect([read().toString(), read().toString()]).toEqual(['page 1', 'page 2'])
})
