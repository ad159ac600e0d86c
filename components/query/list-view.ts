import type { QueryOf } from '#lib/ledger/query/list-query.ts'
import { LISTS, type ListName } from './lists.ts'
import type { ListView } from './view-address.ts'

type QueryIn<List extends ListName> = QueryOf<(typeof LISTS)[List]['query']['parameters']>
type KeyIn<List extends ListName> = QueryIn<List>['sort']['key']

/** The view that a page gives to its list. For the server: it brings the tables of parameters. */
export function toListView<List extends ListName>(list: List, query: QueryIn<List>): ListView<KeyIn<List>> {
  const { write, empty } = LISTS[list].query
  const { sort, pageSize } = query
  const beside = 'beside' in query ? query.beside : null
  const { columns = [], density = 'compact' } = query as Partial<Pick<ListView<never>, 'columns' | 'density'>>
  const search = write(query as never)
  return { search, sort, ownSort: empty.sort, beside, pageSize, columns, density } as ListView<KeyIn<List>>
}
