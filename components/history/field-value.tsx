import { formatAmount, formatDay, formatNumber } from '#lib/reconcile/format.ts'
import type { DecimalText } from '#lib/reconcile/money.ts'
import type { FieldValue, FigureUnit } from '#lib/reconcile/record-diff.ts'

const LONGEST = 200
const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

type FieldValueTextProps = { value: FieldValue; unit: FigureUnit | null; currency: string; className?: string }

/**
 * A value as people write it: amounts, rates and days by our own rules, other texts word for word.
 * Absent, null and an empty text are three values here, as on the wire.
 */
export function FieldValueText({ value, unit, currency, className = '' }: FieldValueTextProps) {
  if (value.kind === 'absent') return <span className="text-ink3">not there</span>
  if (value.kind === 'null' || value.text === '')
    return <span className="text-ink3">{value.text === '' ? 'empty' : 'none'}</span>
  if (value.kind === 'list' || value.kind === 'object')
    return <code className={`font-mono text-[12px] ${className}`}>{shorten(value.text)}</code>
  return (
    <bdi dir="auto" className={className} title={value.text.length > LONGEST ? value.text : undefined}>
      {formatValue(value.text, unit, currency)}
    </bdi>
  )
}

function formatValue(text: string, unit: FigureUnit | null, currency: string): string {
  if (unit !== null && PLAIN_DECIMAL.test(text)) return formatFigure(text as DecimalText, unit, currency)
  return DAY.test(text) ? formatDay(text) : shorten(text)
}

/** A figure or a difference of figures, every digit of it. */
export function formatFigure(figure: DecimalText, unit: FigureUnit, currency: string, signed = false): string {
  if (unit === 'amount') return formatAmount(figure, currency, signed ? { sign: 'always' } : {})
  const text = formatNumber(figure) + (unit === 'percent' ? '%' : '')
  return signed && !figure.startsWith('-') ? `+${text}` : text
}

function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
