/** Where a service takes place, in words: `FRA Frankfurt → LIS Lisbon` or `Lisbon, Portugal`. */
export type ServicePlace = { name: 'Route' | 'Place'; text: string }

type Json = Record<string, unknown>

/**
 * Reads the place from a line's raw payload (contract, "service_location object"); null when it has
 * none. Never throws. JSON.parse is good enough: this reads words, never figures.
 */
export function toServicePlace(rawText: string): ServicePlace | null {
  const location = asObject(asObject(readJson(rawText)?.metadata)?.service_location)
  if (location === null) return null
  const origin = toStop(asObject(location.origin))
  const destination = toStop(asObject(location.destination))
  if (origin !== null || destination !== null)
    return { name: 'Route', text: `${origin ?? 'unknown'} → ${destination ?? 'unknown'}` }
  const place = asObject(location.hotel_location) ?? asObject(location.pick_up_location)
  const text = place === null ? '' : join([place.name, place.city, place.country], ', ')
  return text === '' ? null : { name: 'Place', text }
}

function toStop(stop: Json | null): string | null {
  if (stop === null) return null
  const text = join([stop.code, stop.city], ' ')
  return text === '' ? join([stop.name], '') || null : text
}

function join(parts: unknown[], separator: string): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(separator)
}

/** A member of parsed JSON, if it is an object. */
export function asObject(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}

/** A record's text, if it is a JSON object. For words, never for figures. */
export function readJson(text: string): Json | null {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return null
  }
}
