import { randomOf } from './random.ts'

/** The kinds of personal values; each person has one of each. */
export const KINDS = [
  'name',
  'email',
  'phone',
  'iban',
  'card',
  'address',
  'birth date',
  'tax id',
  'social security number',
  'ip address',
  'licence plate',
  'salary',
  'username',
] as const
export type Kind = (typeof KINDS)[number]

export interface Person {
  readonly given: string
  readonly surname: string
  readonly city: string
  readonly postcode: string
  readonly values: Readonly<Record<Kind, string>>
}

const GIVEN =
  'Anneke Bartosz Cosima Dragan Elodie Ferenc Gesine Hjalmar Ilka Jorinde Kasimir Lioba Mirko Nilüfer Ottokar Pauline Quirin Roswitha Sinje Tadeusz Ulrike Veit Wiebke Xenia Yannick Zdenka'.split(
    ' ',
  )
// Surnames that occur in no product name, place or word of the company, so that a surname in a file is always a leak.
const HEADS =
  'Quast Zwirn Brömm Knörz Plautz Schlunt Drewk Fiebz Grötz Hunzk Jastz Kwiat Lömpf Mrotz Nuschk Prüsk Rautz Spröck Tschirn Uhlzk Vosswn Wrenk Xanth Zoborn Dlugz Eschzw Fratzk Gnirs Hrdl Krzem'.split(
    ' ',
  )
const TAILS =
  'orf hagel ikow ewitz lein mair bauch steeg ander inski ulla oven rath emann eder stroh wald uhn ickel aty'.split(' ')
const STREETS =
  'Quittenpfad|Hollunderstieg|Zum Alten Kelterhaus|Birnbaumgasse|Am Froschteich|Lindwurmtwiete|Schafschwemme'.split('|')
const CITIES = [
  ['80331', 'München'],
  ['20095', 'Hamburg'],
  ['50667', 'Köln'],
  ['04109', 'Leipzig'],
  ['70173', 'Stuttgart'],
  ['1010', 'Wien'],
  ['8001', 'Zürich'],
  ['90402', 'Nürnberg'],
] as const
const PLATES = ['M', 'HH', 'K', 'L', 'S', 'N', 'B', 'F']

export const PEOPLE: readonly Person[] = Array.from({ length: HEADS.length * TAILS.length }, (_, i) => person(i))

/** Sixteen people of thirteen kinds: the planted values. They are in the first rows of tables and in most others. */
export const WATCHED = PEOPLE.slice(0, 16)

function person(i: number): Person {
  const next = randomOf(`person ${i}`)
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(next() * 10)).join('')
  const from = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  const given = from(GIVEN)
  const surname = HEADS[i % HEADS.length]! + TAILS[(Math.floor(i / HEADS.length) + 7 * i) % TAILS.length]!
  const [postcode, city] = from(CITIES)
  const ascii = plain(`${given}.${surname}`)
  const phone = `${2 + Math.floor(next() * 8)}${digits(7)}`
  const phones = [
    `+49 89 ${phone}`,
    `0049 171 ${phone}`,
    `0171/${phone}`,
    `(040) ${phone.slice(0, 4)} ${phone.slice(4)}`,
  ]
  const year = 1942 + Math.floor(next() * 62)
  const born = `${year}-${two(1 + Math.floor(next() * 12))}-${two(1 + Math.floor(next() * 28))}`
  return {
    given,
    surname,
    city,
    postcode,
    values: {
      name: `${given} ${surname}`,
      email: `${ascii}@${from(['web-post.example', 'mailkasten.example', 'firma-intern.example'])}`,
      phone: from(phones),
      iban: iban(`${37_040_044 + (i % 9)}`.padStart(8, '0') + digits(10)),
      card: luhn(`4${digits(14)}`),
      address: `${from(STREETS)} ${100 + Math.floor(next() * 800)}`,
      'birth date': born,
      'tax id': taxId(`${1 + Math.floor(next() * 9)}${digits(9)}`),
      'social security number': `${2 + Math.floor(next() * 6)}${digits(2)}-${1 + Math.floor(next() * 8)}${digits(1)}-${digits(4)}`,
      'ip address': `84.${100 + Math.floor(next() * 150)}.${100 + Math.floor(next() * 150)}.${100 + Math.floor(next() * 150)}`,
      'licence plate': `${from(PLATES)}-${letters(next)} ${1000 + Math.floor(next() * 8999)}`,
      salary: `${38_000 + Math.floor(next() * 91_000)}.${11 + Math.floor(next() * 88)}`,
      username: `${plain(given).slice(0, 2)}${plain(surname)}${10 + Math.floor(next() * 89)}`,
    },
  }
}

export function plain(text: string): string {
  return text.toLowerCase().replace(/ä/g, 'ae').replace(/ö/g, 'oe').replace(/ü/g, 'ue')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function letters(next: () => number): string {
  return String.fromCharCode(65 + Math.floor(next() * 26), 65 + Math.floor(next() * 26))
}

function iban(account: string): string {
  const rest = [...`${account}131400`].reduce((sum, digit) => (sum * 10 + Number(digit)) % 97, 0)
  return `DE${two(98 - rest)}${account}`
}

function luhn(digits: string): string {
  const sum = [...digits].reduceRight((total, digit, at) => {
    const doubled = Number(digit) * ((digits.length - at) % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

/** A German tax id: its last digit is the ISO 7064, MOD 11,10 check digit. */
function taxId(digits: string): string {
  let product = 10
  for (const digit of digits) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return digits + String((11 - product) % 10)
}
