import { type ProvableLine, proveLine } from '#lib/reconcile/line-proof.ts'
import { type DecimalText, parseDecimal } from '#lib/reconcile/money.ts'
import { CONVENTIONS } from '#lib/reconcile/reason.ts'
import { explainLine } from '#lib/reconcile/reasons/explain-line.ts'

/**
 * Lines made and judged by PostgreSQL alone: `numeric` is exact, and nothing here is shared with
 * the product but the names of the conventions.
 */
const ORACLE_FUNCTIONS = `
  create schema if not exists oracle;
  create or replace function oracle.rounded(x numeric, digits int, mode text) returns numeric language sql immutable as $$
    select round(case mode
      when 'half_up' then round(x, digits)
      when 'truncated' then trunc(x, digits)
      when 'half_down' then sign(x) * ceil(abs(x) * 10::numeric ^ digits - 0.5) / 10::numeric ^ digits
      else case when abs(x) * 10::numeric ^ digits - floor(abs(x) * 10::numeric ^ digits) = 0.5
        then sign(x) * 2 * floor((floor(abs(x) * 10::numeric ^ digits) + 1) / 2) / 10::numeric ^ digits
        else round(x, digits) end
    end, digits)
  $$;
  -- numerator / denominator, half away from zero, without a quotient that is itself rounded
  create or replace function oracle.divided(numerator numeric, denominator numeric, digits int) returns numeric language sql immutable as $$
    select round(sign(numerator) * sign(denominator)
      * div(2 * abs(numerator) * 10::numeric ^ digits + abs(denominator), 2 * abs(denominator))
      / 10::numeric ^ digits, digits)
  $$;
  -- the amount whose division by the quantity gives the price, up or down to its last digit
  create or replace function oracle.amount_behind(quantity numeric, price numeric, digits int) returns numeric language sql immutable as $$
    select case
      when scale(price) < 6 then quantity * price
      when abs(round(quantity * price, digits) - quantity * price) * 2 * 10::numeric ^ scale(price) <= abs(quantity)
        or (abs(round(quantity * price, digits)) >= abs(quantity * price)
          and abs(round(quantity * price, digits) - quantity * price) * 10::numeric ^ scale(price) < abs(quantity))
      then round(quantity * price, digits) end
  $$;`

const pick = (...values: string[]) =>
  `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + floor(random() * ${values.length})::int]`

/** Ways in which a line is made: right, by a convention, or with a planted fault. */
const PLANTS = ['right', ...CONVENTIONS, 'fault_total', 'fault_tax', 'fault_both'] as const

const MODES = ['half_up', 'half_even', 'half_down', 'truncated']
const rounded = (x: string, digits: string, mode = 'half_up') => `oracle.rounded(${x}, ${digits}, '${mode}')`
const perMode = (stem: string, figure: (mode: string) => string, modes: string[]) =>
  modes.map((mode) => `'${mode === 'half_up' ? stem : `${stem}_${mode}`}', ${figure(mode)}`).join(',\n')

/** What each rival gives for the tax and for the total, as JSON objects by convention. */
const TAX_RIVALS = `jsonb_build_object(
  ${perMode('tax', (mode) => rounded('net * rate / 100', 'digits', mode), MODES.slice(1))},
  ${perMode('tax_per_unit', (mode) => `quantity * ${rounded('price * rate / 100', 'digits', mode)}`, MODES)})`
const TOTAL_RIVALS = `jsonb_build_object(
  ${perMode('total', (mode) => rounded('net + free + tax', 'total_digits', mode), MODES.slice(1))},
  ${perMode('total_per_unit', (mode) => `quantity * ${rounded('price + rest', 'digits', mode)} + tax`, MODES)},
  'total_by_parts', round(net, digits) + round(free, digits) + tax,
  'total_of_unrounded_tax', round(net + free + net * rate / 100, total_digits))`

/**
 * Lines numbered from $1 to $2: quantities, prices and rates at random; then tax and total as
 * `plant` says. Division by 100 is exact in numeric: no rate here has more than three decimals.
 */
const MAKE_LINES = `
  with drawn as (
    select n, (array[${PLANTS.map((plant) => `'${plant}'`).join(', ')}])[1 + n % ${PLANTS.length}] as plant,
      ${pick('EUR', 'EUR', 'GBP', 'USD', 'JPY', 'KWD')} as currency,
      ${pick('1', '1', '2', '3', '4', '7', '12', '-1', '-2', '-3')}::numeric as quantity,
      ${pick('0', '7', '19', '20', '5.5', '8.875', '10', '21')}::numeric as drawn_rate,
      ${pick('0', '0', '0.01', '14.00', '3.333', '5.5')}::numeric as rest,
      ${pick('0', '2', '2', '3', '4')}::int as price_scale, random() as r
    from generate_series($1::int, $2::int) n
  ), sized as (
    select *, digits_of as digits, case
        -- halves are rare: these lines are made of them
        when plant like '%half%' then round(round((r * r * 900)::numeric, digits_of) + 5 * 10::numeric ^ -(digits_of + (plant like 'total%')::int),
          digits_of + (plant like 'total%')::int)
        else round((r * r * 900)::numeric, case when plant = 'price_divided' then 2 else price_scale end)
      end as base,
      case when plant like '%half%' then 10 else drawn_rate end as rate
    from (select *, case currency when 'JPY' then 0 when 'KWD' then 3 else 2 end as digits_of from drawn) line
  ), priced as (
    select n, plant, currency, quantity, rate, rest, digits,
      -- a divided price is an amount over the quantity, with eight decimals
      case when plant = 'price_divided' then round(round(base, digits) / quantity, 8) else base end as price,
      case when plant = 'price_divided' then round(base, digits) end as amount,
      case when plant = 'credit_sign' then 'credit-reseller' else (array['reseller', 'credit-gross', 'gross'])[1 + n % 3] end as mode
    from sized
  ), taxed as (
    select *, quantity * price as net, quantity * rest as free,
      case when plant = 'tax_per_document' then digits + 3 when plant = 'price_divided' then 8 else digits end as stated_digits
    from priced
  ), with_tax as (
    select *, case
        when plant like 'tax\\_per\\_unit%' then quantity * oracle.rounded(price * rate / 100, digits,
          coalesce(nullif(substring(plant from 14), ''), 'half_up'))
        when plant in ('tax_half_even', 'tax_half_down', 'tax_truncated')
          then oracle.rounded(net * rate / 100, digits, substring(plant from 5))
        when plant = 'tax_per_document' then round(net * rate / 100, stated_digits)
        when plant = 'tax_on_non_taxable' then round((net + free) * rate / 100, digits)
        when plant = 'price_with_tax' then oracle.divided(net * rate, 100 + rate, digits)
        when plant = 'price_divided' then round(amount * rate / 100, digits)
        when plant = 'credit_sign' and n % 2 = 0 then -round(net * rate / 100, digits)
        when plant in ('fault_tax', 'fault_both') then round(round(net * rate / 100, digits) + (1 + n % 50) * 10::numeric ^ (1 - digits), digits)
        else round(net * rate / 100, digits)
      end as tax
    from taxed
  )
  select n, plant, currency, mode, quantity, price, rest, rate, tax, case
      when plant like 'total\\_per\\_unit%' then quantity * oracle.rounded(price + rest, digits,
        coalesce(nullif(substring(plant from 16), ''), 'half_up')) + tax
      when plant in ('total_half_even', 'total_half_down', 'total_truncated')
        then oracle.rounded(net + free + tax, digits, substring(plant from 7))
      when plant = 'total_by_parts' then round(net, digits) + round(free, digits) + tax
      when plant = 'total_of_unrounded_tax' then round(net + free + net * rate / 100, digits)
      when plant = 'price_with_tax' then round(net + free, digits)
      when plant = 'price_divided' then round(amount + free + tax, 8)
      when plant = 'credit_sign' then -round(net + free + round(net * rate / 100, digits), digits)
      when plant = 'tax_per_document' then round(net + free + tax, greatest(stated_digits, scale(price), scale(rest)))
      when plant in ('fault_total', 'fault_both') then round(round(net + free + tax, digits) - (1 + n % 70) * 10::numeric ^ (1 - digits), digits)
      else round(net + free + tax, digits)
    end as total
  from with_tax`

/**
 * Judges the rows of a table made: each figure's outcome (right, explained, unexplained)
 * and, sorted by name, the conventions that are listed for it.
 */
const JUDGE_LINES = `
  with opened as (
    select *, quantity * price as net, quantity * rest as free, greatest(scale(total), digits) as total_digits,
      lower(mode) like 'credit-%' as is_credit
    from (select *, case currency when 'JPY' then 0 when 'KWD' then 3 else 2 end as digits from oracle.made) line
  ), proved as (
    select *, round(net * rate / 100, digits) as expected_tax, round(net + free + tax, total_digits) as expected_total,
      ${TAX_RIVALS} as tax_rivals, ${TOTAL_RIVALS} as total_rivals,
      oracle.amount_behind(quantity, price, digits) as whole_net, oracle.amount_behind(quantity, rest, digits) as whole_free,
      quantity <> 0 and greatest(scale(price), scale(rest)) >= 6 as may_be_divided
    from opened
  ), tried as (
    select *,
      array_remove(array[
        case when rate not in (0, -100) and tax = oracle.divided(net * rate, 100 + rate, digits)
          and total = round(net + free, total_digits) then 'price_with_tax' end,
        case when is_credit and abs(tax) = abs(expected_tax)
          and total = -round(net + free + expected_tax, total_digits) then 'credit_sign' end
      ], null) as built,
      array_remove(array[
        case when rest <> 0 and tax = round((net + free) * rate / 100, digits) then 'tax_on_non_taxable' end,
        case when may_be_divided and tax = round(whole_net * rate / 100, digits) then 'price_divided' end
      ], null) as tax_extra,
      case when scale(tax) > digits and tax = round(net * rate / 100, scale(tax)) then array['tax_per_document'] else '{}' end as tax_certain,
      case when may_be_divided and total = whole_net + whole_free + tax then array['price_divided'] else '{}' end as total_certain
    from proved
  ), weighed as (
    select *, tax_fits || tax_extra || built as tax_all, total_fits || built as total_all
    from tried,
      lateral (
        select coalesce(array_agg(key) filter (where figure = tax), '{}') as tax_fits,
          coalesce(bool_or(figure <> tax) and bool_or(abs(figure - expected_tax) >= abs(tax - expected_tax)), false) as tax_chance
        from (select key, value::numeric as figure from jsonb_each_text(tax_rivals)) rival
        where figure <> expected_tax and (abs(quantity) <> 1 or key not like '%per\\_unit%')
      ) of_tax,
      lateral (
        select coalesce(array_agg(key) filter (where figure = total), '{}') as total_fits,
          coalesce(bool_or(figure <> total) and bool_or(abs(figure - expected_total) >= abs(total - expected_total)), false) as total_chance
        from (select key, value::numeric as figure from jsonb_each_text(total_rivals)) rival
        where figure <> expected_total and (abs(quantity) <> 1 or key not like '%per\\_unit%')
          and (key <> 'total_of_unrounded_tax' or abs(net * rate / 100 - tax) * 10::numeric ^ digits < 1)
      ) of_total
  )
  select n, plant, currency, mode, quantity::text, price::text, rest::text, rate::text, tax::text, total::text,
    case when tax = expected_tax then 'right'
      when tax_certain <> '{}' or (tax_all <> '{}' and not tax_chance) then 'explained' else 'unexplained' end as "taxIs",
    case when tax = expected_tax then '' else (select coalesce(string_agg(distinct each, ' ' order by each), '')
      from unnest(tax_certain || case when tax_certain <> '{}' and tax_chance then '{}' else tax_all end) each) end as "taxConventions",
    case when total = expected_total then 'right'
      when total_certain <> '{}' or (total_all <> '{}' and not total_chance) then 'explained' else 'unexplained' end as "totalIs",
    case when total = expected_total then '' else (select coalesce(string_agg(distinct each, ' ' order by each), '')
      from unnest(total_certain || case when total_certain <> '{}' and total_chance then '{}' else total_all end) each) end as "totalConventions"
  from weighed order by n`

type Judged = Record<
  | 'plant'
  | 'currency'
  | 'mode'
  | 'quantity'
  | 'price'
  | 'rest'
  | 'rate'
  | 'tax'
  | 'total'
  | `${'tax' | 'total'}${'Is' | 'Conventions'}`,
  string
>

/** How the lines of one plant came out, and how many were compared. */
export type OracleTally = {
  lines: number
  /** Lines of which the product says otherwise than the oracle: none should be here. */
  differences: { line: Judged; ours: Verdicts }[]
  /** By plant: lines with a finding, and those of them with every finding explained. */
  byPlant: Map<string, { lines: number; found: number; explained: number }>
}

type Verdicts = Pick<Judged, 'taxIs' | 'taxConventions' | 'totalIs' | 'totalConventions'>

const BATCH = 20_000

/** Makes lines in PostgreSQL, judges them there and here, and compares. */
export async function compareWithOracle(
  query: <Row extends Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>,
  lines: number,
): Promise<OracleTally> {
  const tally: OracleTally = { lines: 0, differences: [], byPlant: new Map() }
  await query(ORACLE_FUNCTIONS)
  await query('select setseed(0.25)')
  for (let first = 1; first <= lines; first += BATCH) {
    await query('drop table if exists oracle.made')
    await query(
      `create table oracle.made as ${MAKE_LINES}`
        .replaceAll('$1', `${first}`)
        .replaceAll('$2', `${Math.min(first + BATCH - 1, lines)}`),
    )
    for (const line of await query<Judged>(JUDGE_LINES)) {
      const ours = judge(line)
      tally.lines++
      const isSame = (Object.keys(ours) as (keyof Verdicts)[]).every((key) => ours[key] === line[key])
      if (!isSame) tally.differences.push({ line, ours })
      const of = tally.byPlant.get(line.plant) ?? { lines: 0, found: 0, explained: 0 }
      of.lines++
      if (ours.taxIs !== 'right' || ours.totalIs !== 'right') of.found++
      if (
        ours.taxIs !== 'unexplained' &&
        ours.totalIs !== 'unexplained' &&
        (ours.taxIs !== 'right' || ours.totalIs !== 'right')
      )
        of.explained++
      tally.byPlant.set(line.plant, of)
    }
  }
  return tally
}

function judge(row: Judged): Verdicts {
  const decimal = (text: string) => parseDecimal(text) as DecimalText
  const line: ProvableLine & { invoiceMode: string } = {
    quantity: decimal(row.quantity),
    unitPrice: decimal(row.price),
    nonTaxableUnitPrice: decimal(row.rest),
    taxPercentage: decimal(row.rate),
    taxAmount: decimal(row.tax),
    totalAmount: decimal(row.total),
    currency: row.currency,
    invoiceMode: row.mode,
  }
  const explanations = explainLine(line, proveLine(line))
  const read = (code: 'tax' | 'total') => {
    const of = explanations.find((each) => each.code === code)
    return [
      of ? (of.isExplained ? 'explained' : 'unexplained') : 'right',
      of?.conventions.toSorted().join(' ') ?? '',
    ] as const
  }
  const [[taxIs, taxConventions], [totalIs, totalConventions]] = [read('tax'), read('total')]
  return { taxIs, taxConventions, totalIs, totalConventions }
}
