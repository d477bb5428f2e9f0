import { isGermanTaxId, isPesel, isSpanishId } from '../../src/context/domain/personal/check-digits.ts'
import {
  accepted,
  column,
  grouped,
  ibanOf,
  innocent,
  lastDigits,
  openPick,
  whole,
  withLuhn,
  type LabelledTable,
  type LabelledValue,
} from './make.ts'

const FIRST =
  'Maria Jonas Aoife Rajiv Thandiwe Pauline Giulia Stefan Zuzana Kwame Lena Marco Ingrid Olivier Beatriz Yusuf Charlotte Piotr Hiroshi Naomi'.split(
    ' ',
  )
const LAST =
  'Gonzalez Lindqvist Brennan Venkataraman Mokoena Dubois Ferraro Steinmetz Horvathova Asante Petersen Bellini Halvorsen Marchand Figueiredo Demirel Whitcombe Zawadzki Nakagawa Eisenberg'.split(
    ' ',
  )
const STREETS = [
  'Hauptstraße 17',
  '221B Baker Street',
  '12 rue de la Paix',
  'Calle Mayor 45',
  'Keizersgracht 312',
  '1600 Amphitheatre Parkway',
  'Lindenallee 8a',
  'Via Garibaldi 23',
]

/** The tuning half. */
export function tunedTables(): readonly LabelledTable[] {
  const { pick, digits, hex } = openPick(20261101)
  const person = (): readonly [string, string] => [pick(FIRST), `${pick(LAST)}`]
  const mail = (): LabelledValue => {
    const [first, last] = person()
    const local = `${first}.${last}${digits(2)}`.toLowerCase()
    return whole(`${local}@${pick(['example.com', 'mail.example.org', 'firma-beispiel.de'])}`, local)
  }
  const phone = (text: string): LabelledValue => whole(text, lastDigits(text))
  const nanp = (): string => `(${pick(['212', '415', '617', '303'])}) ${pick(['555', '762', '348'])}-${digits(4)}`
  const mobile = (): string => `+49 17${digits(1)} ${digits(7)}`
  const card = (): string => withLuhn(`4${digits(14)}`)
  const iban = (): string => ibanOf('DE', digits(18))
  const name = (): LabelledValue => {
    const [first, last] = person()
    return whole(`${first} ${last}`, last)
  }
  const inText = (value: LabelledValue, around: (text: string) => string): LabelledValue => ({
    text: around(value.text),
    planted: value.planted,
  })
  const jsonOf = (): LabelledValue => {
    const [one, two] = [mail(), name()]
    return {
      text: JSON.stringify({ lead: { contact: one.text, fullName: two.text }, score: Number(digits(2)) }),
      planted: [...one.planted, ...two.planted],
    }
  }
  return [
    {
      name: 'tx_import_07',
      columns: [
        column('c1', 'e-mail', mail),
        column('c2', 'phone', () => phone(mobile())),
        column('c3', 'phone', () => phone(nanp())),
        column('c4', 'name', name),
        column('c5', 'IBAN', () => whole(pick([iban(), grouped(iban())]))),
        column('c6', 'card', () => whole(card())),
        column('c7', 'address', () => whole(pick(STREETS))),
        column('c8', 'national id', () =>
          whole(`${pick(['219', '457', '078'])}-0${digits(1) === '0' ? 1 : 9}-${pick(['1', '4'])}${digits(3)}`),
        ),
        column('c9', 'IP', () => whole(`203.0.113.${1 + (Number(digits(3)) % 250)}`)),
        column('c10', 'device id', () => whole(hex(12).match(/../g)!.join(':'))),
      ],
    },
    {
      name: 'legacy_kd',
      columns: [
        column('geb_dat', 'birth', () =>
          whole(`19${5 + (Number(digits(1)) % 4)}${digits(1)}-0${1 + (Number(digits(1)) % 8)}-1${digits(1)}`),
        ),
        column('reisepass_nr', 'passport', () => whole(`C${digits(2)}X${digits(5)}`)),
        column('kfz_kennz', 'plate', () => whole(`B-${pick(['MW', 'KL', 'XT'])} ${digits(4)}`)),
        column('stid', 'national id', () => whole(accepted(() => digits(11), isGermanTaxId))),
        column('dok', 'national id', () =>
          whole(accepted(() => `${digits(8)}${pick([...'TRWAGMYFPDXBNJZSQVHLCKE'])}`, isSpanishId)),
        ),
        column('benutzername', 'username', () => whole(`${pick(FIRST).toLowerCase()}_${digits(3)}`)),
        column('bemerkung', 'text', () =>
          pick([
            () => inText(mail(), (text) => `Bitte an ${text} schicken, danke`),
            () =>
              inText(phone(`0${pick(['30', '89', '40'])}/${digits(7)}`), (text) => `Rückruf unter ${text} ab 14 Uhr`),
            () => inText(whole(iban()), (text) => `Erstattung auf ${text} veranlasst.`),
            () => inText(name(), (text) => `Gespräch mit ${text} geführt, Vertrag folgt`),
          ])(),
        ),
      ],
    },
    {
      name: 'web_events',
      columns: [
        column('payload', 'JSON', jsonOf),
        column('recipients', 'list', () => {
          const [one, two] = [mail(), mail()]
          return { text: JSON.stringify([one.text, two.text]), planted: [...one.planted, ...two.planted] }
        }),
        column('note', 'text', () =>
          pick([
            () => inText(whole(card()), (text) => `Customer read out card ${grouped(text)} on the line`),
            () => inText(phone(nanp()), (text) => `called back on ${text}, no answer`),
            () => inText(mail(), (text) => `see ticket from <${text}> about invoice`),
          ])(),
        ),
      ],
    },
    {
      name: 'employees',
      columns: [
        column('name', 'name', name),
        column('salary', 'pay', () => whole(`${4 + (Number(digits(1)) % 5)}${digits(4)}.50`)),
        column('gender', 'sensitive', () => whole(pick(['nonbinary-x', 'female-x', 'male-x']))),
        column('pesel', 'national id', () => whole(accepted(() => digits(11), isPesel))),
        column('home_lat', 'whereabouts', () => whole(`48.${digits(6)}`)),
      ],
    },
    ...innocentTables(),
  ]
}

function innocentTables(): readonly LabelledTable[] {
  const { pick, digits, hex } = openPick(20261102)
  const PRODUCTS = [
    'Walnut Desk',
    'Steel Bottle 750 ml',
    'Charlotte Lamp',
    'USB-C Cable 2 m',
    'Garden Hose 20 m',
    'Trail Shoe GTX',
    'Oak Shelf 80x30',
    'Espresso Blend No. 4',
    'LED Strip 5 m',
    'Victoria Sponge Mix',
  ]
  const COMPANIES = [
    'Northwind Traders Ltd',
    'Müller & Söhne GmbH',
    'Acme Corp',
    'Contoso SA',
    'Fabrikam Inc',
    'Tailspin Toys BV',
    'Wingtip AG',
    'Martin Marine Services',
    'Adventure Works LLC',
    'Johnson Controls plc',
  ]
  const CITIES = [
    'San Jose',
    'Santiago',
    'Berlin',
    'Charlotte',
    'Florence',
    'Lyon',
    'Kraków',
    'St. Louis',
    'Victoria',
    'Austin',
  ]
  return [
    {
      name: 'products',
      columns: [
        innocent('name', (i) => PRODUCTS[i]!),
        innocent('sku', () => `${pick(['AB', 'KX', 'TR'])}-${digits(6)}-${pick(['C', 'B', 'Z'])}`),
        innocent('ean', () => `40${digits(11)}`),
        innocent('version', () => `${digits(1)}.${digits(2)}.${digits(1)}.${digits(3)}`),
        innocent('dimensions', () => `${digits(2)}-${digits(2)}-${digits(2)}`),
        innocent('isbn', () => `978-3-16-${digits(6)}-${digits(1)}`),
        innocent('address', (i) => `Aisle ${i}, Bin ${digits(2)}`),
      ],
    },
    {
      name: 'suppliers',
      columns: [
        innocent('name', (i) => COMPANIES[i]!),
        innocent('city', (i) => CITIES[i]!),
        innocent(
          'country',
          (i) => ['Germany', 'France', 'Chile', 'Jordan', 'Georgia', 'Chad', 'Norway', 'Peru', 'Oman', 'Mali'][i]!,
        ),
        innocent('email_status', () => pick(['verified', 'bounced', 'pending'])),
        innocent('phone_type', () => pick(['office', 'mobile', 'fax'])),
        innocent('duns', () => digits(9)),
      ],
    },
    {
      name: 'orders',
      columns: [
        innocent('order_no', () => `2026${digits(6)}`),
        innocent('tracking', () => `1Z${hex(6).toUpperCase()}${digits(10)}`),
        innocent('reference', () => `${digits(16)}`),
        innocent('placed', () => `2026-0${1 + (Number(digits(1)) % 9)}-1${digits(1)} 1${digits(1)}:30:45`),
        innocent('uuid', () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`),
        innocent('amount', () => `1,${digits(3)}.${digits(2)}`),
        innocent('epoch', () => `17${digits(11)}`),
        innocent('window', () => `${pick(['09', '10', '11'])}:00-${pick(['12', '14'])}:30`),
        innocent('comment', () =>
          pick([
            'Leave at the back door, thanks',
            'Second attempt on 12/03/2026 at 10:15',
            'Invoice 2026-004411 was paid twice',
            'Customer asked for size 42 instead of 41',
            'See order 2026118822 from last week',
          ]),
        ),
      ],
    },
    {
      name: 'servers',
      columns: [
        innocent('address', () => `198.51.100.${1 + (Number(digits(3)) % 250)}`),
        innocent('mac', () => hex(12).match(/../g)!.join(':')),
        innocent('os', () => pick(['Debian 12', 'Ubuntu 24.04', 'Windows Server 2022'])),
        innocent('package', () =>
          pick(['react@18.2.0', '@scope/tool@1.0.4', 'git@github.com:org/repo.git', 'logo@2x.png', 'lodash@4.17.21']),
        ),
        innocent('checksum', () => hex(40)),
      ],
    },
  ]
}
