import { LoadingPage } from '../../../../components/states/loading-page.tsx'

export default function InvoicesLoading() {
  return <LoadingPage title="Invoices" hasFilters hasTotals />
}
