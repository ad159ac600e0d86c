import { LoadingPage } from '#components/states/loading-page.tsx'

export default function InvoiceLoading() {
  return <LoadingPage title="Invoice" hasTotals />
}
