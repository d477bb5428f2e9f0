import { date, flag, int, made, pick, ratio, ref, serial, table, text } from './define.ts'

const COUNTRIES = [
  ['DE', 'Germany', 'Deutschland', 'EMEA', true],
  ['AT', 'Austria', 'Österreich', 'EMEA', true],
  ['CH', 'Switzerland', 'Schweiz', 'EMEA', false],
  ['FR', 'France', 'Frankreich', 'EMEA', true],
  ['NL', 'Netherlands', 'Niederlande', 'EMEA', true],
  ['PL', 'Poland', 'Polen', 'EMEA', true],
  ['IT', 'Italy', 'Italien', 'EMEA', true],
  ['US', 'United States', 'Vereinigte Staaten', 'AMER', false],
  ['JP', 'Japan', 'Japan', 'APAC', false],
] as const
const REGIONS = [
  ['DE', 'BY', 'Bavaria', 'Bayern'],
  ['DE', 'HH', 'Hamburg', 'Hamburg'],
  ['DE', 'NW', 'North Rhine-Westphalia', 'Nordrhein-Westfalen'],
  ['DE', 'SN', 'Saxony', 'Sachsen'],
  ['DE', 'BW', 'Baden-Wuerttemberg', 'Baden-Württemberg'],
  ['AT', '9', 'Vienna', 'Wien'],
  ['AT', '5', 'Salzburg', 'Salzburg'],
  ['CH', 'ZH', 'Zurich', 'Zürich'],
  ['FR', 'IDF', 'Ile-de-France', 'Großraum Paris'],
  ['NL', 'NH', 'North Holland', 'Nordholland'],
] as const
const STATES = ['new', 'confirmed', 'picking', 'shipped', 'delivered', 'cancelled', 'returned']

/** Data shared by all departments. */
export const REF = [
  table(
    'ref.countries',
    COUNTRIES.length,
    'Countries we deliver to or buy from.',
    {
      code: made('char(2)', ({ i }) => COUNTRIES[i]![0], { about: 'ISO 3166-1 alpha-2' }),
      name: text(({ i }) => COUNTRIES[i]![1]),
      name_de: text(({ i }) => COUNTRIES[i]![2], { about: 'deutscher Name' }),
      sales_region: text(({ i }) => COUNTRIES[i]![3], { about: 'sales region: EMEA, AMER or APAC' }),
      is_eu: made('boolean', ({ i }) => COUNTRIES[i]![4], { about: 'member of the European Union' }),
    },
    { key: ['code'] },
  ),
  table(
    'ref.currencies',
    4,
    undefined,
    {
      code: made('char(3)', ({ i }) => ['EUR', 'CHF', 'USD', 'PLN'][i]!),
      name: text(({ i }) => ['Euro', 'Swiss franc', 'US dollar', 'Zloty'][i]!),
      minor_units: int(2, 2, { about: 'digits behind the point' }, 'smallint'),
    },
    { key: ['code'] },
  ),
  table(
    'ref.regions',
    REGIONS.length,
    'States, provinces and cantons.',
    {
      id: serial(),
      country_code: made('char(2)', ({ i }) => REGIONS[i]![0]),
      code: text(({ i }) => REGIONS[i]![1]),
      name: text(({ i }) => REGIONS[i]![2]),
      name_de: text(({ i }) => REGIONS[i]![3]),
    },
    {
      joins: [
        { columns: ['country_code'], to: 'ref.countries', toColumns: ['code'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('ref.order_status', STATES.length, 'What sales.orders.status_id means.', {
    id: made('smallint', ({ i }) => i + 1),
    code: text(({ i }) => STATES[i]!),
    label_de: text(
      ({ i }) => ['neu', 'bestätigt', 'in Kommissionierung', 'versendet', 'zugestellt', 'storniert', 'retourniert'][i]!,
    ),
    is_final: made('boolean', ({ i }) => i >= 4),
  }),
  table('ref.ticket_priority', 4, undefined, {
    id: made('smallint', ({ i }) => i + 1),
    label: text(({ i }) => ['low', 'normal', 'high', 'urgent'][i]!),
    sla_hours: made('smallint', ({ i }) => [72, 24, 8, 2][i]!, { about: 'hours until the first answer is due' }),
  }),
  table('ref.tax_rates', 14, 'Value added tax by country and time.', {
    id: serial(),
    country_code: ref('ref.countries.code', { type: 'char(2)' }),
    kind: pick(['standard', 'reduced', 'zero']),
    rate: ratio(0, 0.25, { about: 'as a fraction: 0.19 is 19 percent' }),
    valid_from: date('2015-01-01', '2024-07-01'),
  }),
  table(
    'ref.units',
    6,
    undefined,
    {
      code: text(({ i }) => ['ST', 'KG', 'M', 'L', 'PAL', 'KRT'][i]!),
      name: text(({ i }) => ['piece', 'kilogram', 'metre', 'litre', 'pallet', 'carton'][i]!),
    },
    { key: ['code'] },
  ),
  table(
    'ref.languages',
    5,
    undefined,
    {
      code: made('char(2)', ({ i }) => ['de', 'en', 'fr', 'nl', 'pl'][i]!),
      name: text(({ i }) => ['German', 'English', 'French', 'Dutch', 'Polish'][i]!),
    },
    { key: ['code'] },
  ),
  table(
    'ref.calendar',
    912,
    'One row per day. Our fiscal year begins on 1 October.',
    {
      day: made('date', ({ i }) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)),
      is_weekend: made('boolean', ({ row }) => [0, 6].includes(new Date(String(row['day'])).getUTCDay())),
      is_holiday: flag(0.03, { about: 'public holiday in Bavaria' }),
      fiscal_year: made('smallint', ({ row }) => fiscal(String(row['day'])), {
        about: 'begins on 1 October of the year before',
      }),
      fiscal_quarter: made(
        'smallint',
        ({ row }) => 1 + Math.floor(((new Date(String(row['day'])).getUTCMonth() + 3) % 12) / 3),
      ),
    },
    { key: ['day'] },
  ),
]

const fiscal = (day: string): number => Number(day.slice(0, 4)) + (Number(day.slice(5, 7)) >= 10 ? 1 : 0)
