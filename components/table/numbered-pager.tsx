import { Pager, type PagerProps } from './pager.tsx'

type NumberedPagerProps = Pick<PagerProps, 'noun'> & {
  rowCount: number
  page: number
  pageCount: number
  pageSize: number
  toAddress: (page: number) => string
}

/** The pages around one that goes by its number. */
export function NumberedPager({ page, pageCount, pageSize, rowCount, noun, toAddress }: NumberedPagerProps) {
  return (
    <Pager
      from={(page - 1) * pageSize}
      to={Math.min(page * pageSize, rowCount)}
      rowCount={rowCount}
      noun={noun}
      previous={page > 1 ? toAddress(page - 1) : null}
      next={page < pageCount ? toAddress(page + 1) : null}
    />
  )
}
