'use client'

import { SearchBox } from '#components/filters/search-box.client.tsx'
import { toAddress } from '#components/query/address.ts'
import { useNavigate } from '#components/query/navigate.client.tsx'

/** Narrows the schemas below; the address follows. */
export function SchemaSearch({ path, text }: { path: string; text: string }) {
  const { navigate } = useNavigate()
  return (
    <SearchBox
      hint="Search attributes"
      text={text}
      onSearch={(typed) => navigate(toAddress(path, typed === '' ? '' : `q=${encodeURIComponent(typed)}`), 'replace')}
    />
  )
}
