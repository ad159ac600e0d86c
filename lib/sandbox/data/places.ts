import type { JsonObject } from './wire/json.ts'

/** A city of the story: where people fly, ride and sleep. Coordinates are text, as on the wire. */
export type Place = {
  city: string
  country: string
  countryCode: string
  latitude: string
  longitude: string
  airport: string
  iata: string
  station: string
  hotels: readonly string[]
}

function place(
  [city, country, countryCode]: readonly [string, string, string],
  [latitude, longitude]: readonly [string, string],
  [airport, iata]: readonly [string, string],
  station: string,
  hotels: readonly string[],
): Place {
  return { city, country, countryCode, latitude, longitude, airport, iata, station, hotels }
}

export const HAMBURG = place(
  ['Hamburg', 'Germany', 'DE'],
  ['53.5511', '9.9937'],
  ['Hamburg Airport', 'HAM'],
  'Hamburg Hbf',
  ['Hotel Speicherstadt', 'Alsterblick'],
)
export const BERLIN = place(
  ['Berlin', 'Germany', 'DE'],
  ['52.5200', '13.4050'],
  ['Berlin Brandenburg', 'BER'],
  'Berlin Hbf',
  ['Hotel am Gendarmenmarkt', 'Spree Living'],
)
export const MUNICH = place(
  ['Munich', 'Germany', 'DE'],
  ['48.1351', '11.5820'],
  ['Munich Airport', 'MUC'],
  'München Hbf',
  ['Isartor Stadthotel', 'Hotel Lehel'],
)
export const FRANKFURT = place(
  ['Frankfurt', 'Germany', 'DE'],
  ['50.1109', '8.6821'],
  ['Frankfurt Airport', 'FRA'],
  'Frankfurt (Main) Hbf',
  ['Messe Hotel West'],
)
export const LISBON = place(
  ['Lisbon', 'Portugal', 'PT'],
  ['38.7223', '-9.1393'],
  ['Humberto Delgado Airport', 'LIS'],
  'Lisboa Oriente',
  ['Hotel da Baixa', 'Miradouro Suites'],
)
export const PARIS = place(
  ['Paris', 'France', 'FR'],
  ['48.8566', '2.3522'],
  ['Charles de Gaulle', 'CDG'],
  'Paris Gare de Lyon',
  ['Hôtel du Marais', 'Hôtel de la Gare'],
)
export const MADRID = place(
  ['Madrid', 'Spain', 'ES'],
  ['40.4168', '-3.7038'],
  ['Adolfo Suárez Madrid-Barajas', 'MAD'],
  'Madrid Atocha',
  ['Hotel Retiro Norte'],
)
export const STOCKHOLM = place(
  ['Stockholm', 'Sweden', 'SE'],
  ['59.3293', '18.0686'],
  ['Arlanda', 'ARN'],
  'Stockholm Central',
  ['Söder Hotell'],
)
export const AMSTERDAM = place(
  ['Amsterdam', 'Netherlands', 'NL'],
  ['52.3676', '4.9041'],
  ['Schiphol', 'AMS'],
  'Amsterdam Centraal',
  ['Hotel Herengracht', 'Oost Canal House'],
)
export const LONDON = place(
  ['London', 'United Kingdom', 'GB'],
  ['51.5072', '-0.1276'],
  ['Heathrow', 'LHR'],
  "London King's Cross",
  ['The Clerkenwell', 'Southwark House'],
)
export const MANCHESTER = place(
  ['Manchester', 'United Kingdom', 'GB'],
  ['53.4808', '-2.2426'],
  ['Manchester Airport', 'MAN'],
  'Manchester Piccadilly',
  ['Castlefield Inn'],
)
export const EDINBURGH = place(
  ['Edinburgh', 'United Kingdom', 'GB'],
  ['55.9533', '-3.1883'],
  ['Edinburgh Airport', 'EDI'],
  'Edinburgh Waverley',
  ['Leith Walk Hotel'],
)
export const TOKYO = place(['Tokyo', 'Japan', 'JP'], ['35.6762', '139.6503'], ['Haneda', 'HND'], 'Tokyo', [
  'Hotel Nihonbashi',
  'Shinjuku Garden',
])
export const OSAKA = place(['Osaka', 'Japan', 'JP'], ['34.6937', '135.5023'], ['Kansai', 'KIX'], 'Shin-Osaka', [
  'Umeda Stay',
])
export const FUKUOKA = place(
  ['Fukuoka', 'Japan', 'JP'],
  ['33.5902', '130.4017'],
  ['Fukuoka Airport', 'FUK'],
  'Hakata',
  ['Hakata Riverside'],
)
export const KUWAIT_CITY = place(
  ['Kuwait City', 'Kuwait', 'KW'],
  ['29.3759', '47.9774'],
  ['Kuwait International', 'KWI'],
  'Kuwait City',
  ['Gulf Road Hotel'],
)
export const DUBAI = place(
  ['Dubai', 'United Arab Emirates', 'AE'],
  ['25.2048', '55.2708'],
  ['Dubai International', 'DXB'],
  'Dubai',
  ['Creek View Hotel'],
)
export const SINGAPORE = place(
  ['Singapore', 'Singapore', 'SG'],
  ['1.3521', '103.8198'],
  ['Changi', 'SIN'],
  'Woodlands',
  ['Tanjong Pagar Hotel'],
)
export const NEW_YORK = place(
  ['New York', 'United States', 'US'],
  ['40.7128', '-74.0060'],
  ['John F. Kennedy', 'JFK'],
  'Moynihan Train Hall',
  ['The Gramercy Yard'],
)
export const BOSTON = place(
  ['Boston', 'United States', 'US'],
  ['42.3601', '-71.0589'],
  ['Logan', 'BOS'],
  'South Station',
  ['Back Bay House'],
)

function spot(at: Place, name: string, code?: string): JsonObject {
  const { city, country, countryCode, latitude, longitude } = at
  return { name, code, city, country, country_code: countryCode, latitude, longitude }
}

/** service_location of a flight, hotel, train or car line (contract: service_location object). */
export function serviceLocation(vertical: 'flight' | 'hotel' | 'train' | 'car', from: Place, to: Place): JsonObject {
  if (vertical === 'flight')
    return { origin: spot(from, from.airport, from.iata), destination: spot(to, to.airport, to.iata) }
  if (vertical === 'train') return { origin: spot(from, from.station), destination: spot(to, to.station) }
  const { name: _name, ...inner } = spot(to, '')
  return vertical === 'hotel' ? { hotel_location: { name: to.hotels[0], ...inner } } : { pick_up_location: inner }
}
