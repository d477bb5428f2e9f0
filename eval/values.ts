/**
 * Measures whether `list_tables` shows the value that a question filters on beside its column, within 2,000 tokens:
 * `npm run -s eval -- --only values`. The database is a racing and retail archive of sixteen tables in SQLite, with
 * values distributed as in practice: a few cities and brands have most rows, hundreds are rare, names repeat, and
 * several columns have the same words. 160 questions name a value as it is stored, in another case, with a typo, by one
 * of its words, or a value of a column with personal data. The baseline is the values that the files alone list. Half
 * of the questions are held out, by a hash. `node eval/values.ts` prints the misses of the other half.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { stringify } from 'yaml'
import { openKen } from '../src/app/open.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { isKeptBack, randomOf } from './company/random.ts'
import { HALVES, type Figure } from './suite.ts'

const TOKENS = 2_000
const QUESTIONS = 160
const KINDS = ['as stored', 'another case', 'typo', 'one of its words', 'personal'] as const
type Kind = (typeof KINDS)[number]

interface ValueQuestion {
  readonly text: string
  readonly kind: Kind
  readonly table: string
  readonly column: string
  /** Spelled as in the column. */
  readonly value: string
}

interface Judged extends ValueQuestion {
  readonly isShown: boolean
  /** Without the index: the files list the values of a column only if there are few. */
  readonly isInFiles: boolean
}

export async function valueFigures(): Promise<Figure[]> {
  const judged = await askAll()
  return HALVES.flatMap((half) => {
    const own = judged.filter(({ text }) => isKeptBack(text) === (half === 'kept back'))
    const figure = (set: string, of: readonly Judged[]): Figure => ({
      set,
      half,
      measure: 'values shown beside their column',
      value: of.filter(({ isShown }) => isShown).length,
      of: of.length,
      better: 'higher',
      peer: { name: 'what the files list', value: of.filter(({ isInFiles }) => isInFiles).length },
      tolerance: 1,
    })
    return [
      figure('archive of sixteen tables, 2,000 tokens', own),
      ...KINDS.map((kind) =>
        figure(
          `archive, ${kind}`,
          own.filter((one) => one.kind === kind),
        ),
      ),
    ]
  })
}

const SYLLABLES =
  'al be cor da el fa gro ha is jo kal lo mer na os pe qui ros sta tor ul ver wen xa yor zim bra cle dor'.split(' ')
const FIRST =
  'Ada Bruno Clara Dario Elif Farid Greta Hugo Ines Jonas Kofi Lena Marek Nadia Omar Paula Rosa Samir Tomas Vera'.split(
    ' ',
  )
const CITIES =
  'Berlin Lisbon Oslo Porto Madrid Vienna Prague Hamburg Bremen Stuttgart Leipzig Lyon Nantes Toulouse Genoa Turin Naples Seville Malmo Aarhus Tampere Gdansk Krakow Brno'.split(
    ' ',
  )
const BRANDS = 'Northwind Silverline Bluepeak Oakfield Redstone Greenway Ironbridge Sunvale Clearbrook Stormgate'.split(
  ' ',
)
const THINGS =
  'Trail Jacket;Summit Tent;River Kayak;Desert Boots;Alpine Rope;Coastal Lantern;Meadow Blanket;Forest Axe;Glacier Gloves;Canyon Backpack'.split(
    ';',
  )
const CIRCUITS =
  'Silverstone Ring;Monza Park;Hungaro Loop;Spa Forest;Zand Dunes;Imola Oval;Suzuka Crossing;Sakhir Desert;Losail Lights;Albert Lake'.split(
    ';',
  )

/** A word made of syllables: a value that is in no vocabulary. */
const made = (random: () => number, syllables: number): string => {
  const word = Array.from({ length: syllables }, () => pick(SYLLABLES, random)).join('')
  return word[0]!.toUpperCase() + word.slice(1)
}

const pick = <T>(list: readonly T[], random: () => number): T => list[Math.floor(random() * list.length)]!

/** Draws an index by Zipf's law: the first of a list most often. */
const often = <T>(list: readonly T[], random: () => number): T =>
  list[Math.min(list.length - 1, Math.floor(list.length ** random() - 1))]!

type Maker = (random: () => number) => string | number

/** Columns by table; `#` marks one with personal data, `!` one that no question filters on. */
function tables(): Readonly<
  Record<string, { readonly rows: number; readonly columns: Readonly<Record<string, Maker>> }>
> {
  const source = randomOf('vocabulary of the archive')
  const words = (count: number, syllables: number): readonly string[] => [
    ...new Set(Array.from({ length: count }, () => made(source, syllables))),
  ]
  const [surnames, towns, makers, teams] = [
    words(900, 3),
    [...CITIES, ...words(400, 3)],
    [...BRANDS, ...words(150, 3)],
    words(120, 2),
  ]
  const titles = Array.from({ length: 600 }, () => `${pick(makers, source)} ${pick(THINGS, source)}`)
  const person: Maker = (random) => `${pick(FIRST, random)} ${often(surnames, random)}`
  const number: Maker = (random) => Math.floor(random() * 10_000)
  const of =
    (list: readonly string[]): Maker =>
    (random) =>
      often(list, random)
  return {
    drivers: {
      rows: 700,
      columns: { '#full_name': person, nationality: of(['German', 'Dutch', 'Finnish', 'Brazilian']), team: of(teams) },
    },
    circuits: {
      rows: 60,
      columns: { title: (random) => `${pick(CIRCUITS, random)} ${made(random, 2)}`, town: of(towns) },
    },
    races: { rows: 900, columns: { label: (random) => `Grand Prize of ${often(towns, random)}`, '!season': number } },
    results: {
      rows: 4_000,
      columns: { '!points': number, status: of(['Finished', 'Collision', 'Engine', 'Gearbox', 'Disqualified']) },
    },
    constructors: { rows: 120, columns: { name: of(teams), base: of(towns) } },
    sponsors: { rows: 200, columns: { brand: of(makers), sector: of(['Energy', 'Watches', 'Telecom', 'Banking']) } },
    customers: {
      rows: 3_000,
      columns: { '#full_name': person, city: of(towns), segment: of(['private', 'business', 'public']) },
    },
    products: {
      rows: 600,
      columns: { title: of(titles), manufacturer: of(makers), colour: of(['teal', 'crimson', 'ochre', 'navy']) },
    },
    orders: {
      rows: 5_000,
      columns: { channel: of(['web', 'store', 'phone']), '!amount': number, ship_town: of(towns) },
    },
    warehouses: { rows: 80, columns: { place: of(towns), kind: of(['bonded', 'cold', 'open']) } },
    suppliers: {
      rows: 250,
      columns: {
        firm: (random) => `${pick(makers, random)} ${pick(['Holding', 'Traders', 'Works'], random)}`,
        region: of(towns),
      },
    },
    campaigns: {
      rows: 300,
      columns: {
        slogan: (random) => `${made(random, 2)} ${made(random, 3)}`,
        medium: of(['radio', 'print', 'podcast']),
      },
    },
    employees: {
      rows: 400,
      columns: { '#last_name': of(surnames), department: of(['Logistics', 'Finance', 'Retail', 'Design']) },
    },
    tickets: {
      rows: 2_000,
      columns: {
        topic: (random) => `${pick(['late', 'broken', 'wrong'], random)} ${pick(THINGS, random).toLowerCase()}`,
        priority: of(['low', 'normal', 'urgent']),
      },
    },
    regions: {
      rows: 40,
      columns: { code: (random) => made(random, 1).toUpperCase() + number(random), label: of(towns) },
    },
    returns: {
      rows: 1_200,
      columns: { reason: of(['too small', 'damaged', 'changed mind', 'late delivery']), carrier: of(makers) },
    },
  }
}

const nameOf = (column: string): string => column.replace(/^[#!]/, '')

function fill(path: string): readonly ValueQuestion[] {
  const database = new DatabaseSync(path)
  const random = randomOf('rows of the archive')
  const stored: { readonly table: string; readonly column: string; readonly values: readonly string[] }[] = []
  database.exec('BEGIN')
  for (const [table, { rows, columns }] of Object.entries(tables())) {
    const names = Object.keys(columns)
    const types = Object.values(columns).map((make) => (typeof make(random) === 'number' ? 'INTEGER' : 'TEXT'))
    database.exec(
      `CREATE TABLE ${table} (id INTEGER PRIMARY KEY, ${names.map((name, i) => `${nameOf(name)} ${types[i]}`).join(', ')})`,
    )
    const insert = database.prepare(`INSERT INTO ${table} VALUES (${['?', ...names.map(() => '?')].join(', ')})`)
    const all = Array.from({ length: rows }, () => Object.values(columns).map((make) => make(random)))
    for (const [i, row] of all.entries()) insert.run(i + 1, ...row)
    names.forEach((column, i) => {
      if (!column.startsWith('!')) stored.push({ table, column, values: all.map((row) => String(row[i])) })
    })
  }
  database.exec('COMMIT')
  database.close()
  return Array.from({ length: QUESTIONS }, (_, i) => questionOn(pick(stored, random), i, random))
}

function questionOn(
  { table, column, values }: { readonly table: string; readonly column: string; readonly values: readonly string[] },
  i: number,
  random: () => number,
): ValueQuestion {
  const value = pick(values, random)
  const isPersonal = column.startsWith('#')
  const possible = KINDS.filter(
    (kind) =>
      (kind === 'personal') === isPersonal &&
      (kind !== 'typo' || value.length > 5) &&
      (kind !== 'one of its words' || value.includes(' ')),
  )
  const kind = pick(possible, random)
  const said = sayAs(kind, value, random)
  const thing = table.replaceAll('_', ' ')
  const text = [
    `How many ${thing} are there for ${said}?`,
    `Which ${thing} belong to ${said} and what happened to them last year?`,
    `Show the number of ${thing} by month, only ${said}.`,
    `What share of all ${thing} is ${said}?`,
  ][i % 4]!
  return { text, kind, table, column: nameOf(column), value }
}

function sayAs(kind: Kind, value: string, random: () => number): string {
  const words = value.split(' ')
  switch (kind) {
    case 'another case':
      return random() < 0.5 ? value.toLowerCase() : value.toUpperCase()
    case 'personal':
      return random() < 0.5 ? value : value.toLowerCase()
    case 'typo': {
      const at = 2 + Math.floor(random() * (value.length - 4))
      return random() < 0.5
        ? value.slice(0, at) + value.slice(at + 1)
        : value.slice(0, at) + value[at + 1]! + value[at]! + value.slice(at + 2)
    }
    case 'one of its words':
      return words.toSorted((a, b) => b.length - a.length)[0]!
    default:
      return value
  }
}

async function askAll(): Promise<readonly Judged[]> {
  const place = mkdtempSync(join(tmpdir(), 'ken-eval-values-'))
  const ken = openKen({ HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' }, () => {})
  const folder = join(place, 'project')
  const run = async (cwd: string, name: string, input: object): Promise<Record<string, unknown>> =>
    (
      await call(
        ken.context({ origin: { surface: 'mcp-stdio' }, cwd }),
        OPERATIONS.find((one) => one.name === name)!,
        input,
      )
    ).output
  try {
    mkdirSync(folder)
    const questions = fill(join(folder, 'archive.db'))
    const databases = [{ name: 'archive', type: 'sqlite', path: 'archive.db' }]
    writeFileSync(join(folder, 'ken.yaml'), stringify({ name: 'archive', databases }))
    await run(folder, 'sync_sources', {})
    const judge = async (cwd: string): Promise<boolean[]> => {
      const shown: boolean[] = []
      for (const question of questions) {
        const { columns } = await run(cwd, 'list_tables', { question: question.text, tokens: TOKENS })
        shown.push(isShownIn(String(columns), question))
      }
      return shown
    }
    const own = await judge(folder)
    // Another machine that has the committed files but has not synced.
    const clone = join(place, 'clone')
    cpSync(folder, clone, { recursive: true })
    const listed = await judge(clone)
    return questions.map((question, i) => ({ ...question, isShown: own[i]!, isInFiles: listed[i]! }))
  } finally {
    await ken.close()
    rmSync(place, { recursive: true, force: true })
  }
}

/** Whether the column's line contains the value. */
function isShownIn(text: string, { table, column, value }: ValueQuestion): boolean {
  const part = text.split(/\n\n(?=## )/).find((one) => new RegExp(`^## (?:\\S+\\.)?${table}\\b`).test(one)) ?? ''
  const line = part.split('\n').find((one) => one.startsWith(`- ${column}:`) || one.startsWith(`- ${column} `)) ?? ''
  return line.includes(value)
}

if (import.meta.main) {
  const judged = await askAll()
  for (const half of HALVES) {
    const own = judged.filter(({ text }) => isKeptBack(text) === (half === 'kept back'))
    for (const kind of KINDS) {
      const of = own.filter((one) => one.kind === kind)
      const count = (is: (one: Judged) => boolean): number => of.filter(is).length
      console.log(
        `${half.padEnd(10)} ${kind.padEnd(18)} ${count(({ isShown }) => isShown)} of ${of.length}, files alone ${count(({ isInFiles }) => isInFiles)}`,
      )
    }
  }
  for (const one of judged)
    if (!one.isShown && !isKeptBack(one.text))
      console.log(`  ${one.kind}: ${one.text} lacks ${one.table}.${one.column} '${one.value}'`)
}
