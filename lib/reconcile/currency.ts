/** ISO 4217 currencies whose minor unit does not have two decimals. */
const DIGITS_BY_CURRENCY: ReadonlyMap<string, number> = new Map([
  ...toEntries(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...toEntries(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...toEntries(4, 'CLF UYW'),
])

function toEntries(digits: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, digits])
}

/** The decimals of a currency's minor unit (ISO 4217); 2 for an unknown code. */
export function currencyDigits(code: string): number {
  return DIGITS_BY_CURRENCY.get(code) ?? 2
}
