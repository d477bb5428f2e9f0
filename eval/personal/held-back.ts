import { isAadhaar, isBsn, isCpf, isFrenchId, isItalianCode } from '../../src/context/domain/personal/check-digits.ts'
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
  'Eleanor Tobias Sunniva Arjun Makena Camille Lorenzo Ulrike Radka Kofi Astrid Fabio Gunnar Manon Leticia Emre Imogen Agnieszka Takumi Deborah'.split(
    ' ',
  )
const LAST =
  'Whitfield Brandstetter Solheim Chaudhary Wanjiku Lefevre Marchetti Oberhauser Novotna Boateng Lundgren Santoro Thorvaldsen Garnier Cardoso Yildirim Ashdown Kowalczyk Fujimoto Abramson'.split(
    ' ',
  )
const STREETS = [
  'Goethestr. 44',
  '9 Elm Grove',
  '48 avenue Foch',
  'Paseo de Gracia 92',
  'Prinsengracht 263',
  '742 Evergreen Terrace',
  'Am Alten Markt 3',
  'ul. Piotrkowska 110',
  'Rua Augusta 1508',
  '17 Old Mill Lane',
]

/** The held-out half. */
export function heldBackTables(): readonly LabelledTable[] {
  const { pick, digits, hex } = openPick(20261111)
  const mail = (): LabelledValue => {
    const local = `${pick(FIRST)[0]}${pick(LAST)}${digits(2)}`.toLowerCase()
    return whole(`${local}@${pick(['example.net', 'posteo.example', 'corp.example.co.uk'])}`, local)
  }
  const phone = (text: string): LabelledValue => whole(text, lastDigits(text))
  const french = (): string => `0${pick(['1', '6', '7'])} ${digits(2)} ${digits(2)} ${digits(2)} ${digits(2)}`
  const british = (): string => `07${digits(3)} ${digits(6)}`
  const e164 = (): string => `+${pick(['44', '33', '91', '1'])}${pick(['7', '9', '6'])}${digits(9)}`
  const amex = (): string => withLuhn(`37${digits(12)}`)
  const master = (): string => withLuhn(`5${pick(['1', '3', '5'])}${digits(13)}`)
  const iban = (): string =>
    pick([ibanOf('NL', `ABNA${digits(10)}`), ibanOf('GB', `WEST${digits(14)}`), ibanOf('FR', digits(23))])
  const turned = (): LabelledValue => {
    const last = pick(LAST)
    return whole(`${last}, ${pick(FIRST)}`, last)
  }
  const name = (): LabelledValue => {
    const last = pick(LAST)
    return whole(`${pick(FIRST)} ${last}`, last)
  }
  const inText = (value: LabelledValue, around: (text: string) => string): LabelledValue => ({
    text: around(value.text),
    planted: value.planted,
  })
  return [
    {
      name: 'stg_blob_3',
      columns: [
        column('attr_a', 'e-mail', mail),
        column('attr_b', 'phone', () => phone(french())),
        column('attr_c', 'phone', () => phone(e164())),
        column('attr_d', 'name', turned),
        column('attr_e', 'IBAN', () => whole(pick([iban(), grouped(iban())]))),
        column('attr_f', 'card', () => whole(pick([amex(), master()]))),
        column('attr_g', 'address', () => whole(pick(STREETS))),
        column('attr_h', 'national id', () => whole(accepted(() => digits(9), isBsn))),
        column('attr_i', 'IP', () => whole(`2001:db8:${hex(4)}:${hex(4)}::${hex(4)}`)),
        column('attr_j', 'national id', () =>
          whole(`${pick(['AB', 'CE', 'JK'])} ${digits(2)} ${digits(2)} ${digits(2)} ${pick(['A', 'C'])}`),
        ),
        column('attr_k', 'phone', () => phone(british())),
        column('attr_l', 'name', name),
      ],
    },
    {
      name: 'adherents',
      columns: [
        column('nom', 'name', () => whole(pick(LAST))),
        column('prenom', 'name', () => whole(pick(FIRST))),
        column('date_naissance', 'birth', () =>
          whole(
            `${10 + (Number(digits(1)) % 9)}/0${1 + (Number(digits(1)) % 8)}/19${5 + (Number(digits(1)) % 5)}${digits(1)}`,
          ),
        ),
        column('num_secu', 'national id', () =>
          whole(
            accepted(() => `${pick(['1', '2'])}${digits(2)}0${1 + (Number(digits(1)) % 9)}${digits(10)}`, isFrenchId),
          ),
        ),
        column('adresse', 'address', () => whole(pick(STREETS))),
        column('code_postal', 'address', () => whole(`75${digits(3)}`)),
        column('portable', 'phone', () => phone(french().replaceAll(' ', ''))),
        column('identifiant', 'username', () => whole(`${pick(LAST).toLowerCase()}${digits(2)}`)),
      ],
    },
    {
      name: 'intake',
      columns: [
        column('fiscal', 'national id', () =>
          whole(
            accepted(
              () =>
                `${pick(['RSS', 'VRD', 'BNC'])}${pick(['MRA', 'LGU'])}${digits(2)}${pick(['T', 'A', 'H'])}1${digits(1)}${pick(['A', 'F', 'H'])}${digits(3)}${pick([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])}`,
              isItalianCode,
            ),
          ),
        ),
        column('cadastro', 'national id', () => {
          const id = accepted(() => digits(11), isCpf)
          return whole(id.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4'), id)
        }),
        column('uid_in', 'national id', () =>
          whole(grouped(accepted(() => `${2 + (Number(digits(1)) % 8)}${digits(11)}`, isAadhaar))),
        ),
        column('driver_license', 'driving licence', () => whole(`D${digits(3)}-${digits(4)}-${digits(4)}`)),
        column('twitter', 'username', () => whole(`@${pick(LAST).toLowerCase()}_${digits(2)}`)),
        column('xml_doc', 'XML', () => {
          const [one, two] = [mail(), name()]
          return {
            text: `<lead><contactName>${two.text}</contactName><mail>${one.text}</mail><rank>3</rank></lead>`,
            planted: [...one.planted, ...two.planted],
          }
        }),
        column('attributes', 'JSON', () => {
          const [one, two] = [phone(e164()), name()]
          return {
            text: JSON.stringify({
              customer: { name: two.text },
              channels: [{ type: 'sms', value: one.text }],
              dob: '1984-11-0' + pick(['2', '7']),
            }),
            planted: [...one.planted, ...two.planted, '1984-11-02', '1984-11-07'],
          }
        }),
        column('description', 'text', () =>
          pick([
            () => inText(mail(), (text) => `Forwarded to ${text}; awaiting reply since Tuesday.`),
            () => inText(phone(british()), (text) => `Patient can be reached at ${text} in the evening`),
            () => inText(whole(grouped(master())), (text) => `Refund was requested to card ${text}.`),
            () => inText(whole(`X${digits(8)}`), (text) => `Passport no: ${text} was copied at the desk`),
            () => inText(name(), (text) => `Spoke with Mrs ${text} about the renewal`),
            () => inText(whole(iban()), (text) => `New bank details are ${text}, please update`),
            () => inText(whole('14.02.1979'), (text) => `Versicherte, geboren am ${text}, fragt nach`),
          ])(),
        ),
      ],
    },
    ...innocentTables(),
  ]
}

function innocentTables(): readonly LabelledTable[] {
  const { pick, digits, hex } = openPick(20261112)
  const ITEMS = [
    'Morgan Chair',
    'Rain Jacket Kids',
    'Olivia Summer Dress',
    'Ceramic Mug 300 ml',
    'HDMI Adapter',
    'Paul Smith Wallet',
    'Pepper Mill XL',
    'Bamboo Tray',
    'Road Bike 28"',
    'Jack Daniels Glass',
  ]
  const FIRMS = [
    'Globex Corporation',
    'Initech',
    'Umbrella Holding AG',
    'Stark Industries',
    'Wayne Enterprises',
    'Hooli Inc.',
    'Vandelay Imports SARL',
    'Weber Logistik GmbH',
    'Rossi Automotive S.p.A.',
    'Taylor & Francis',
  ]
  const PLACES = [
    'San Francisco',
    'Marseille',
    'Valencia',
    'Alexandria',
    'Jackson',
    'Düsseldorf',
    'Sofia',
    'Odense',
    'Madison',
    'Cordoba',
  ]
  return [
    {
      name: 'catalog_items',
      columns: [
        innocent('name', (i) => ITEMS[i]!),
        innocent('part_number', () => `${digits(3)}-${digits(5)}-${digits(2)}`),
        innocent('upc', () => `0${digits(11)}`),
        innocent('firmware', () => `v${digits(1)}.${digits(1)}.${digits(2)}`),
        innocent('size_range', () => `${digits(2)}/${digits(2)}`),
        innocent('release', () => `2026.${digits(2)}.${digits(1)}.${digits(1)}`),
      ],
    },
    {
      name: 'vendors',
      columns: [
        innocent('name', (i) => FIRMS[i]!),
        innocent('town', (i) => PLACES[i]!),
        innocent('tax_id', () => `DE${digits(9)}`),
        innocent('email_opt_in', () => pick(['yes', 'no'])),
        innocent('rating', () => `${digits(1)}.${digits(1)}`),
        innocent('website', () => `https://www.${pick(['globex', 'initech', 'hooli'])}.example/about`),
      ],
    },
    {
      name: 'shipments',
      columns: [
        innocent('shipment_no', () => `SH-${digits(4)}-${digits(4)}`),
        innocent('barcode', () => digits(18)),
        innocent('eta', () => `1${digits(1)}.0${1 + (Number(digits(1)) % 9)}.2026 08:3${digits(1)}`),
        innocent('interval', () => `${digits(3)}-${digits(3)}`),
        innocent('weight', () => `${digits(3)} ${digits(3)}`),
        innocent('ts', () => `2026-11-0${1 + (Number(digits(1)) % 9)}T0${digits(1)}:15:00.${digits(3)}Z`),
        innocent('unix', () => `17${digits(8)}`),
        innocent('hash', () => hex(32)),
        innocent('remark', () =>
          pick([
            'Pallet 3 of 7, keep upright',
            'Delayed by customs until 05.12.2026',
            'Dock 14 between 08:00 and 10:00',
            'Contains 2 x 750 ml and 12 x 330 ml',
            'Ref 4500012345 / PO 8811',
          ]),
        ),
      ],
    },
    {
      name: 'network_nodes',
      columns: [
        innocent('ip', () => `198.51.100.${1 + (Number(digits(3)) % 250)}`),
        innocent('gateway', () => `10.${digits(1)}.${digits(1)}.1`),
        innocent('mac_address', () => hex(12).match(/../g)!.join('-')),
        innocent('cron', () => `${digits(1)} 0${digits(1)} * * 1-5`),
        innocent('image', () => pick(['nginx:1.27.0', 'postgres@sha256:ab12', 'icon@3x.png', 'tool@2.1.0'])),
        innocent('threshold', () => `0.${digits(6)}`),
      ],
    },
    {
      name: 'stores',
      columns: [
        innocent('address', (i) => `${i + 10} Market Street`),
        innocent('city', (i) => PLACES[i]!),
        innocent('lat', () => `52.${digits(5)}`),
        innocent('opening', () => `0${digits(1)}:00 - 20:00`),
        innocent(
          'title',
          (i) =>
            [
              'Flagship',
              'Outlet North',
              'Corner Shop',
              'Airport',
              'Kiosk',
              'Depot',
              'Mall',
              'Station',
              'Harbour',
              'Campus',
            ][i]!,
        ),
      ],
    },
  ]
}
