import { EmptyList } from '#components/states/empty-list.tsx'

type NoInvoicesProps = { allCount: number; hasAccount: boolean; canConnect: boolean }

/** In place of a list without invoices. */
export function NoInvoices(props: NoInvoicesProps) {
  return (
    <EmptyList
      noun="invoice"
      all={{ href: '/invoices?period=all', label: 'Show all invoices' }}
      title="No invoices yet"
      promise="Connect a customer account of the travel platform, and every invoice it was sent arrives here."
      {...props}
    />
  )
}
