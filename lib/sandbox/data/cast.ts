import type { Profile } from './model.ts'
import type { Place } from './places.ts'
import * as places from './places.ts'

export type Person = { name: string; email: string; externalId: string }

/**
 * One legal entity of a customer: its profile on the platform, its people and where they travel.
 */
export type Entity = {
  profile: Profile
  /** A short word for references. */
  code: string
  home: Place
  domestic: readonly Place[]
  abroad: readonly Place[]
  people: readonly Person[]
  costCenters: readonly string[]
  airlines: readonly (readonly [string, string])[]
  railway: readonly [string, string]
  carRental: readonly [string, string]
  /** Tax rate per service, as text; others are taxed at `fee`. */
  rates: { flight: string; hotel: string; train: string; car: string; fee: string }
  regimes: { taxed: string; untaxed: string }
  modes: { own: string; behalf: string }
  /** Price level in the currency's minor units per euro cent. */
  minorPerCent: number
  /** Serial prefixes cycle through these. */
  serialPrefixes: readonly string[]
}

function people(domain: string, names: readonly string[]): Person[] {
  return names.map((name, index) => ({
    name,
    email: `${name
      .toLowerCase()
      .normalize('NFD')
      .replace(/[^a-z ]/g, '')
      .replaceAll(' ', '.')}@${domain}`,
    externalId: `E-${domain.slice(0, 2).toUpperCase()}${String(1040 + index * 7)}`,
  }))
}

function profile(
  id: string,
  name: string,
  currency: string,
  billingPeriod: string,
  address: readonly [string, string, string, string | null],
): Profile {
  const [street, postalCode, city, vat] = address
  const billingInformation = {
    legal_name: name,
    vat_number: vat,
    address_line_1: street,
    address_line_2: '',
    city,
    postal_code: postalCode,
    country_name:
      { EUR: 'Germany', GBP: 'United Kingdom', JPY: 'Japan', KWD: 'Kuwait', USD: 'United States' }[currency] ?? '',
  }
  return {
    id,
    name,
    currency,
    billingPeriod,
    paymentMethodType: currency === 'KWD' ? 'wire_transfer' : 'credit_card',
    billingInformation,
  }
}

const NORDLICHT_STAFF = people('nordlicht.example', [
  'Anna Lindqvist',
  'Jürgen Brandt',
  'Miriam Okafor',
  'Søren Petersen',
  'Élodie Martin',
  'Tomasz Zieliński',
  'Katharina Vogt',
])

export const NORDLICHT_ENTITIES: readonly Entity[] = [
  {
    profile: profile('6b1f0c52-6f0e-4e3b-9d3e-0f6d5a1c0e01', 'Nordlicht GmbH', 'EUR', 'biweekly', [
      'Am Sandtorkai 41',
      '20457',
      'Hamburg',
      'DE811234567',
    ]),
    code: 'NL-DE',
    home: places.HAMBURG,
    domestic: [places.BERLIN, places.MUNICH, places.FRANKFURT],
    abroad: [places.LISBON, places.PARIS, places.MADRID, places.STOCKHOLM, places.SINGAPORE],
    people: NORDLICHT_STAFF,
    costCenters: ['4100 Sales DACH', '4200 Engineering', '4300 Customer Success', '5100 Operations', '7000 Management'],
    airlines: [
      ['LH', 'Lufthansa'],
      ['TP', 'TAP Air Portugal'],
      ['AF', 'Air France'],
    ],
    railway: ['DB', 'Deutsche Bahn'],
    carRental: ['SX', 'Sixt'],
    rates: { flight: '19', hotel: '7', train: '7', car: '19', fee: '19' },
    regimes: { taxed: 'G-VAT-R', untaxed: 'STAR' },
    modes: { own: 'reseller', behalf: 'intermediary' },
    minorPerCent: 1,
    serialPrefixes: ['INV-01', 'INV-01', 'INV-02', 'INV-01', 'INV-03'],
  },
  {
    profile: profile('6b1f0c52-6f0e-4e3b-9d3e-0f6d5a1c0e02', 'Nordlicht UK Ltd', 'GBP', 'monthly', [
      '18 Exmouth Market',
      'EC1R 4QE',
      'London',
      'GB123456789',
    ]),
    code: 'NL-UK',
    home: places.LONDON,
    domestic: [places.MANCHESTER, places.EDINBURGH],
    abroad: [places.HAMBURG, places.PARIS, places.NEW_YORK],
    people: people('nordlicht.example', ['Priya Raman', "Siobhán O'Neill", 'Callum Fraser', 'Grace Adeyemi']),
    costCenters: ['4110 Sales UK&I', '4200 Engineering', '6100 Finance & Legal'],
    airlines: [
      ['BA', 'British Airways'],
      ['U2', 'easyJet'],
    ],
    railway: ['LNER', 'London North Eastern Railway'],
    carRental: ['EP', 'Europcar'],
    rates: { flight: '0', hotel: '20', train: '0', car: '20', fee: '20' },
    regimes: { taxed: 'G-VAT-R', untaxed: 'GROSS' },
    modes: { own: 'reseller', behalf: 'gross' },
    minorPerCent: 1,
    serialPrefixes: ['INV-04', 'INV-04', 'INV-02'],
  },
  {
    profile: profile('6b1f0c52-6f0e-4e3b-9d3e-0f6d5a1c0e03', 'Nordlicht Japan KK', 'JPY', 'monthly', [
      'Nihonbashi 2-7-1',
      '103-6020',
      'Tokyo',
      'T8010001000000',
    ]),
    code: 'NL-JP',
    home: places.TOKYO,
    domestic: [places.OSAKA, places.FUKUOKA],
    abroad: [places.SINGAPORE, places.HAMBURG],
    people: people('nordlicht.example', ['Haruto Tanaka', 'Yui Kobayashi', 'Ren Ishikawa']),
    costCenters: ['4120 Sales APAC', '8200 R&D Lab'],
    airlines: [
      ['NH', 'All Nippon Airways'],
      ['JL', 'Japan Airlines'],
    ],
    railway: ['JRC', 'JR Central'],
    carRental: ['NR', 'Nippon Rent-A-Car'],
    rates: { flight: '10', hotel: '10', train: '10', car: '10', fee: '10' },
    regimes: { taxed: 'G-VAT-R', untaxed: 'GROSS' },
    modes: { own: 'gross', behalf: 'intermediary' },
    minorPerCent: 1.6,
    serialPrefixes: ['INV-05', 'INV-02'],
  },
  {
    profile: profile('6b1f0c52-6f0e-4e3b-9d3e-0f6d5a1c0e04', 'Nordlicht Gulf WLL', 'KWD', 'monthly', [
      'Arabian Gulf Street 12',
      '13001',
      'Kuwait City',
      null,
    ]),
    code: 'NL-KW',
    home: places.KUWAIT_CITY,
    domestic: [places.DUBAI],
    abroad: [places.DUBAI, places.LONDON, places.HAMBURG],
    people: people('nordlicht.example', ['Fatima Al-Sabah', 'Omar Haddad', 'Noor Al-Mutairi']),
    costCenters: ['4130 Sales GCC', '5100 Operations'],
    airlines: [
      ['KU', 'Kuwait Airways'],
      ['EK', 'Emirates'],
    ],
    railway: ['GCC', 'Gulf Rail'],
    carRental: ['AV', 'Avis'],
    rates: { flight: '0', hotel: '5', train: '0', car: '5', fee: '5' },
    regimes: { taxed: 'G-VAT-R', untaxed: 'STAR' },
    modes: { own: 'reseller', behalf: 'passthrough' },
    minorPerCent: 3.3,
    serialPrefixes: ['INV-01', 'INV-02'],
  },
]

export const MERIDIAN_ENTITIES: readonly Entity[] = [
  {
    profile: profile('c2a7d9e4-1b7a-4c58-8f60-5d1b7be20a01', 'Meridian Works B.V.', 'EUR', 'monthly', [
      'Keizersgracht 241',
      '1016 EA',
      'Amsterdam',
      'NL854321098B01',
    ]),
    code: 'MW-NL',
    home: places.AMSTERDAM,
    domestic: [places.AMSTERDAM],
    abroad: [places.PARIS, places.BERLIN, places.LONDON],
    people: people('meridian.example', ['Daan de Vries', 'Lotte Bakker', 'Ruben Hermans']),
    costCenters: ['Studio', 'Client work', 'Overhead'],
    airlines: [
      ['KL', 'KLM'],
      ['AF', 'Air France'],
    ],
    railway: ['ES', 'Eurostar'],
    carRental: ['EP', 'Europcar'],
    rates: { flight: '0', hotel: '9', train: '9', car: '21', fee: '21' },
    regimes: { taxed: 'G-VAT-R', untaxed: 'STAR' },
    modes: { own: 'reseller', behalf: 'intermediary' },
    minorPerCent: 1,
    serialPrefixes: ['INV-01', 'INV-02'],
  },
  {
    profile: profile('c2a7d9e4-1b7a-4c58-8f60-5d1b7be20a02', 'Meridian Works Inc.', 'USD', 'monthly', [
      '77 Summer Street',
      '02110',
      'Boston',
      null,
    ]),
    code: 'MW-US',
    home: places.BOSTON,
    domestic: [places.NEW_YORK],
    abroad: [places.LONDON, places.AMSTERDAM],
    people: people('meridian.example', ['Harper Quinn', 'Diego Morales']),
    costCenters: ['Studio', 'US sales'],
    airlines: [
      ['DL', 'Delta Air Lines'],
      ['B6', 'JetBlue'],
    ],
    railway: ['AMT', 'Amtrak'],
    carRental: ['HZ', 'Hertz'],
    rates: { flight: '7.5', hotel: '5.7', train: '0', car: '6.25', fee: '0' },
    regimes: { taxed: 'US-G-VAT-R-0', untaxed: 'US-G-VAT-R-0' },
    modes: { own: 'us-reseller', behalf: 'us-reseller' },
    minorPerCent: 1.1,
    serialPrefixes: ['INV-04'],
  },
]

export const PURPOSES = [
  'Customer workshop',
  'Supplier audit',
  'Sales kick-off',
  'Trade fair',
  'Site visit',
  'Board meeting',
  'Onboarding week',
  'Release planning',
  'Contract signing',
  'Maintenance window',
] as const
