/**
 * Exact decimals for the sandbox: a count of units, and their decimal places. Deliberately apart
 * from the product's money code: the control totals must be an independent witness.
 */
export type Fixed = { readonly units: bigint; readonly scale: number }

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Reads plain or exponent notation ("0E-8"); null for anything else, such as "12,30". The stated
 * scale is kept.
 */
export function parseFixed(text: string): Fixed | null {
  const match = DECIMAL.exec(text)
  if (!match) return null
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const magnitude = BigInt(whole + fraction)
  const units = sign === '-' ? -magnitude : magnitude
  const scale = fraction.length - Number(exponent)
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale }
}

/** Like parseFixed, for the sandbox's own text; throws RangeError on anything else. */
export function fixed(text: string): Fixed {
  const value = parseFixed(text)
  if (!value) throw new RangeError(`not a decimal: ${text}`)
  return value
}

export const ZERO: Fixed = { units: 0n, scale: 0 }

/** The same value in units of `scale` places; `scale` must not be below the value's own. */
function widen(value: Fixed, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale)
}

export function addFixed(a: Fixed, b: Fixed): Fixed {
  const scale = Math.max(a.scale, b.scale)
  return { units: widen(a, scale) + widen(b, scale), scale }
}

export function negateFixed(value: Fixed): Fixed {
  return { units: -value.units, scale: value.scale }
}

export function subtractFixed(a: Fixed, b: Fixed): Fixed {
  return addFixed(a, negateFixed(b))
}

export function multiplyFixed(a: Fixed, b: Fixed): Fixed {
  return { units: a.units * b.units, scale: a.scale + b.scale }
}

export function isZeroFixed(value: Fixed): boolean {
  return value.units === 0n
}

/** Rounds half away from zero to exactly `digits` places; widens when the value has fewer. */
export function roundFixed(value: Fixed, digits: number): Fixed {
  if (value.scale <= digits) return { units: widen(value, digits), scale: digits }
  const divisor = 10n ** BigInt(value.scale - digits)
  const magnitude = value.units < 0n ? -value.units : value.units
  const rounded = (magnitude + divisor / 2n) / divisor
  return { units: value.units < 0n ? -rounded : rounded, scale: digits }
}

/** Plain notation with all `scale` places, never an exponent. */
export function fixedText(value: Fixed): string {
  const digits = (value.units < 0n ? -value.units : value.units).toString().padStart(value.scale + 1, '0')
  const whole = digits.slice(0, digits.length - value.scale)
  const fraction = value.scale > 0 ? `.${digits.slice(-value.scale)}` : ''
  return `${value.units < 0n ? '-' : ''}${whole}${fraction}`
}

/** Plain notation with at least `minDigits` places and no trailing zeros beyond them. */
export function trimmedText(value: Fixed, minDigits: number): string {
  let { units, scale } = value.scale < minDigits ? roundFixed(value, minDigits) : value
  while (scale > minDigits && units % 10n === 0n) {
    units /= 10n
    scale -= 1
  }
  return fixedText({ units, scale })
}
