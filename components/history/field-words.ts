import type { FieldChange } from '#lib/reconcile/record-diff.ts'

/** Names for people, where the wire's own words are not plain. */
const NAMES: Readonly<Record<string, string>> = {
  total_amount: 'total',
  tax_percentage: 'tax rate',
  non_taxable_unit_price: 'non-taxable unit price',
  credit_used_for_customer_payment: 'credit used',
  invoice_status: 'invoice status',
  issuing_date: 'date of issue',
  'lines.total': 'number of lines',
  out_of_policy: 'out of policy',
}

/** What a changed field is called: `metadata.travelers[1].name` is `travelers 2, name`. */
export function nameField({ path }: Pick<FieldChange, 'path'>): string {
  if (Object.hasOwn(NAMES, path)) return NAMES[path] as string
  return path
    .replace(/^metadata\./, '')
    .split('.')
    .map((step) => {
      const [name = '', index] = step.split('[')
      const words = Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name.replaceAll('_', ' ')
      return index === undefined ? words : `${words} ${Number.parseInt(index, 10) + 1}`
    })
    .join(', ')
}

/** Whether an invoice's field only sums up its lines: it follows what they say. */
export function isSummary({ path }: Pick<FieldChange, 'path'>): boolean {
  return path.startsWith('taxes_summary') || path.startsWith('lines')
}
