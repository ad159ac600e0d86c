/** The columns of a `LineComparison`, from `line_comparison c`. */
export const COMPARISON_COLUMNS = `c.code, c.currency, c.amount::text as amount,
  case when c.other_line_id is not null
    then json_build_object('id', c.other_line_id, 'invoiceSerialNumber', c.other_invoice_serial_number) end as other`
