import type { Cell } from '../sql/query.ts'
import { isEan } from './check-digits.ts'
import type { PersonalKind } from './kinds.ts'
import { jsonOf, maskCell, type CellContext } from './mask-cell.ts'
import { namesSomebody } from './mask-text.ts'
import { nameWords } from './name-words.ts'
import { mayBeLogin, mayNameSomebody, personalByName, saysPerson } from './personal-name.ts'
import { subjectOf, subjectOfWord, type Subject } from './table-subject.ts'
import { guessesFor, isCompanyName, looksLikeName, looksLikeStreet, saysNothing } from './whole-value.ts'

export interface PersonalColumn {
  readonly name: string
  readonly kind: PersonalKind
}

export interface PersonalFound {
  readonly columns: readonly PersonalColumn[]
  /** Columns of another kind with occasional personal values. */
  readonly traced: readonly string[]
  contextOf(column: string): CellContext
}

interface JudgedTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string; readonly comment?: string | undefined }[]
}

/** The personal columns of a table, by their names and a sample of their values. */
export function judgeColumns(table: JudgedTable, rows: readonly (readonly Cell[])[]): PersonalFound {
  const names = table.columns.map(({ name }) => name)
  const isPeople = names.filter(saysPerson).length >= 2
  const said = subjectOf(table.name, isPeople ? [] : names)
  const subject = isPeople && (said === undefined || said === 'machine') ? 'person' : said
  const isKeyed = subject === undefined && table.columns.some(({ name }) => PERSON_KEY.test(nameWords(name).join('_')))
  const numbered = new Set(names.filter((_, i) => areNumbers(rows.map((row) => row[i] ?? null))))
  const contextOf = (column: string): CellContext => ({
    subject,
    except: [...exceptionsOf(subject, column), ...(numbered.has(column) ? (['card'] as const) : [])],
  })
  const found = table.columns.map((column, i) => {
    const cells = rows.map((row) => row[i] ?? null).filter((cell) => cell !== null && cell !== '')
    const context = {
      subject,
      except: exceptionsOf(subject, column.name),
      isKeyed,
      tellsPay: TELLS_PAY.test(table.name),
    }
    return { column, cells, kind: kindOf(column, cells, context) }
  })
  const tellsPeople = found.some(({ kind }) => kind !== undefined && OF_PEOPLE.has(kind))
  const isAboutPeople = tellsPeople || subject === 'person'
  const isTraced = ({ column, cells }: { column: JudgedTable['columns'][number]; cells: readonly Cell[] }): boolean =>
    !isTime(column.type) &&
    cells.some((cell) => typeof cell === 'string' && maskCell(cell, contextOf(column.name)) !== cell)
  const judged = found.map((one) => {
    if (one.kind !== undefined) return one
    if (tellsPeople && areBirths(one.cells)) return { ...one, kind: 'birth' as const }
    if (isWritten(one) && (isAboutPeople || isKeyed || isTraced(one))) return { ...one, kind: 'personal text' as const }
    return { ...one, kind: isAboutPeople ? kindAmongPeople(one.column, one.cells) : undefined }
  })
  return {
    columns: judged.flatMap(({ column, kind }) => (kind === undefined ? [] : [{ name: column.name, kind }])),
    traced: judged.filter((one) => one.kind === undefined && isTraced(one)).map(({ column }) => column.name),
    contextOf,
  }
}

/**
 * Whether most values are numbers. Some long numbers pass as a card by chance, so single ones are not masked as cards.
 */
const areNumbers = (cells: readonly Cell[]): boolean =>
  cells.filter((cell) => /^\d+$/.test(String(cell))).length * 2 > cells.filter((cell) => cell !== null).length

const PERSON_KEY =
  /^(?:[a-z]+_)?(?:customer|client|user|employee|emp|staff|patient|member|contact|person|student|guest|driver|kunden|mitarbeiter|personal|pers)_?(?:id|key|no|nr|fk|uid|uuid|number|nummer|sk)$/
// Data about the owner of a row, although the row represents something else.
const OF_OWNER: ReadonlySet<string> = new Set(['pay', 'sensitive', 'whereabouts', 'address', 'device id'])

const isTime = (type: string): boolean => /^(?:date|time|smalldate)/i.test(type)
const isNumber = (type: string): boolean =>
  /^(?:Nullable\()?(?:u?(?:big|small|tiny|huge|medium)?int|(?:big|small)?serial|(?:big)?numeric|(?:big)?decimal|number|real|double|float|money)/i.test(
    type,
  )

const OF_PEOPLE: ReadonlySet<string> = new Set(['name', 'e-mail', 'phone', 'national id', 'passport', 'birth', 'IBAN'])

/** Dates over many years, none too recent to be the birth date of a customer or employee. */
function areBirths(cells: readonly Cell[]): boolean {
  const years = cells.map((cell) =>
    /^(?:(\d{4})-\d\d-\d\d|\d\d?[./]\d\d?[./](\d{4}))(?:[ T]00:00:00[^]*)?$/.exec(String(cell)),
  )
  if (years.length < 3 || years.includes(null)) return false
  const all = years.map((match) => Number(match![1] ?? match![2]))
  const [least, most] = [Math.min(...all), Math.max(...all)]
  return least >= 1900 && least < 1990 && most <= 2012 && most - least >= 10
}

const MOSTLY = 0.6
const NEARLY_ALL = 0.8
const LEAST_SEEN = 5

/**
 * The kind of a column in a table about people that neither its name nor a known form reveals: unlisted names, streets,
 * and any values under a meaningless name. A few repeated values are categories.
 */
function kindAmongPeople(
  { name, type }: { readonly name: string; readonly type: string },
  cells: readonly Cell[],
): PersonalKind | undefined {
  const texts = cells.map(String)
  const values = [...new Set(texts)]
  if (values.length < LEAST_SEEN || values.length < texts.length / 2 || isTime(type)) return undefined
  const words = nameWords(name)
  if (words.some((word) => OTHER_NAMES.test(word))) return undefined
  const isNamed = words.some((word) => subjectOfWord(word) !== undefined)
  if (!isNamed && share(values, looksLikeName) >= MOSTLY) return 'name'
  if (!isNamed && share(values, looksLikeStreet) >= NEARLY_ALL) return 'address'
  if (!saysNothing(name)) return undefined
  if (isNumber(type)) return share(values, (value) => /^\d{9,}$/.test(value)) >= NEARLY_ALL ? 'private' : undefined
  return share(values, isPlainCode) >= MOSTLY ? undefined : 'private'
}

/** Letters and digits as programs generate them; not a person's name, nor nine digits that may be a personal number. */
const isPlainCode = (value: string): boolean =>
  /^[A-Z]{0,6}[-_./]?\d{1,8}$|^[A-Z]{1,6}$|^\p{L}{1,3}$/u.test(value) || isDay(value)
const isDay = (value: string): boolean => /^\d{4}-\d\d-\d\d|^\d\d?[./]\d\d?[./]\d{2,4}$/.test(value)

const TELLS_PAY = /(?:^|_)(?:salar|gehalt|gehaelt|loehne|lohn|payroll|payslip|wages?|compensation|bonus|bezuege)/i
const NO_PAY = /^(?:year|month|day)$|(?:^|_)(?:ids?|key|no|nr|count|pct|percent|grade|version|fk|num)$/

// Columns with these names contain names of things that may sound like people.
const OTHER_NAMES =
  /^(?:city|town|country|state|region|province|company|employer|brand|product|title|category|vendor|supplier|department|team|model|manufacturer|publisher|store|venue|hotel|school|university|artist|band|label|ort|stadt|land|firma|ville|pays|ciudad|pais)$/
const VERSION = /^(?:version|ver|release|build|firmware|revision|semver)$/

function exceptionsOf(subject: Subject | undefined, column: string): readonly PersonalKind[] {
  const words = nameWords(column)
  return [
    ...(subject === 'machine' ? (['IP', 'device id'] as const) : []),
    ...(subject === 'place' || subject === 'company' ? (['address'] as const) : []),
    ...(words.some((word) => VERSION.test(word)) ? (['IP'] as const) : []),
    ...(words.some((word) => OTHER_NAMES.test(word)) ? (['name'] as const) : []),
  ]
}

function kindOf(
  { name, type, comment }: JudgedTable['columns'][number],
  cells: readonly Cell[],
  context: CellContext & { readonly isKeyed: boolean; readonly tellsPay: boolean },
): PersonalKind | undefined {
  if (/^bool/i.test(type)) return undefined
  const ofOwner = context.isKeyed ? personalByName(name, 'person') : undefined
  const byName =
    personalByName(name, context.subject) ??
    personalByName(openingOf(comment), context.subject) ??
    (ofOwner !== undefined && OF_OWNER.has(ofOwner) ? ofOwner : undefined)
  if (isTime(type)) return byName === 'birth' ? byName : undefined
  const values = [...new Set(cells.flatMap(valuesOf))]
  if (byName !== undefined && !isRefuted(byName, values, type)) return byName
  if (context.tellsPay && isNumber(type) && !NO_PAY.test(nameWords(name).join('_'))) return 'pay'
  const isNumeric = isNumber(type) || share(values, (value) => /^\d+$/.test(value)) > 0.5
  if (mayNameSomebody(name) && values.length > 0 && share(values, looksLikeName) >= 0.5) return 'name'
  if (mayBeLogin(name) && !isNumeric && !isFew(values) && share(values, isLogin) >= 0.5) return 'username'
  const known = NUMBERED.test(nameWords(name).join('_'))
  return (
    kindByValues(values, type, { ...context, known }) ?? (tellsNames(values, context) ? 'personal text' : undefined)
  )
}

const isLogin = (value: string): boolean => /^[\p{L}][\p{L}\d._-]{2,40}$/u.test(value)

/** The beginning of a comment that is not a sentence: `Jahresgehalt`, `Name`. */
const openingOf = (comment: string | undefined): string => {
  const opening = /^[^,.;:()]{1,40}/.exec(comment ?? '')?.[0].trim() ?? ''
  return opening.split(/\s+/).length <= 3 ? opening : ''
}

// Names of columns with numbers that can look like any kind: only kinds with a distinctive form are accepted for them.
const NUMBERED =
  /(?:^|_)(?:sku|upc|ean|gtin|isbn|issn|asin|part|article|artikel|item|order|auftrag|invoice|rechnung|po|tracking|shipment|parcel|barcode|reference|ref|serial|batch|lot|asset|model|version|weight|price|amount|total|quantity|qty|size|dimension|interval|range|duration|hash|checksum|epoch|unix|timestamp|ticket|transaction|txn|duns|siren|siret|vat|hs_code|license_key|build)(?:s|_|$)/

/** Texts of several words that people write to or about each other, or that programs log about them. */
function isWritten({
  column,
  cells,
}: {
  readonly column: { readonly name: string }
  readonly cells: readonly Cell[]
}): boolean {
  const texts = cells.filter((cell) => typeof cell === 'string')
  const isLong = (text: string): boolean => text.split(/\s+/, 3).length === 3
  return mayBeWritten(column.name) && texts.length > 0 && share(texts, isLong) >= 0.5
}

const mayBeWritten = (column: string): boolean =>
  /(?:^|_)(?:notes?|notiz(?:en)?|comments?|kommentare?|bemerkung(?:en)?|remarks?|messages?|msg|nachricht(?:en)?|body|feedback|review|transcript|reply|answer|antwort|anmerkung|hinweis|log|protokoll|memo|mitteilung|inquiry|anfrage|complaint|beschwerde|reason_text|freitext|free_?text)$/.test(
    nameWords(column).join('_'),
  )

// A text of this many words is a sentence, not a title.
const SENTENCE = 5
const NAMED_SHARE = 0.1

/**
 * Whether the texts of a column name people so often that some names will not be recognised by their given name. Then
 * the texts are not shown at all.
 */
function tellsNames(values: readonly string[], { except }: CellContext): boolean {
  const sentences = values.filter(
    (value) => value.split(/\s+/, SENTENCE).length === SENTENCE && !/^\s*[[{<]/.test(value),
  )
  const naming = except.includes('name') ? [] : sentences.filter(namesSomebody)
  return naming.length >= 2 && naming.length / sentences.length >= NAMED_SHARE
}

/** A JSON list counts as its elements. */
function valuesOf(cell: Cell): readonly string[] {
  if (typeof cell !== 'string' || !cell.startsWith('[')) return [String(cell)]
  const parsed = jsonOf(cell)
  return Array.isArray(parsed) && parsed.every((item) => typeof item !== 'object') ? parsed.map(String) : [cell]
}

// With so few values, a check digit alone may match by chance.
const LEAST_NUMBERS = 3

function kindByValues(
  values: readonly string[],
  type: string,
  { except, subject, known }: CellContext & { readonly known: boolean },
): PersonalKind | undefined {
  const areArticles = values.every((value) => /^\d{12,13}$/.test(value) && isEan(value))
  const seen = new Map<PersonalKind, { hits: number; share: number }>()
  for (const value of values)
    for (const { kind, share, isWeak } of guessesFor(value)) {
      if (isWeak && (known || areArticles)) continue
      const before = seen.get(kind)
      seen.set(kind, { hits: (before?.hits ?? 0) + 1, share: Math.max(share, before?.share ?? 0) })
    }
  const least = isNumber(type) || values.every((value) => /^\d+$/.test(value)) ? LEAST_NUMBERS : 1
  const fitting = [...seen].filter(
    ([kind, { hits, share }]) =>
      !except.includes(kind) &&
      hits >= least &&
      hits / values.length >=
        (kind === 'name' && (subject === 'thing' || subject === 'company' || subject === 'place')
          ? Math.max(share, 0.6)
          : share) &&
      (kind !== 'name' || hits >= Math.min(2, values.length)),
  )
  return fitting.toSorted(([, a], [, b]) => b.hits - a.hits)[0]?.[0]
}

const share = (values: readonly string[], accepts: (value: string) => boolean): number =>
  values.length === 0 ? 1 : values.filter(accepts).length / values.length
const digitsIn = (value: string): number => value.replaceAll(/\D/g, '').length
const isFew = (values: readonly string[]): boolean => values.length <= 6

/** Whether the values of a column clearly contradict its name. */
function isRefuted(kind: PersonalKind, values: readonly string[], type: string): boolean {
  switch (kind) {
    case 'e-mail':
      return (
        isNumber(type) ||
        (isFew(values) &&
          share(values, (value) => !value.includes('@')) === 1 &&
          values.length > 0 &&
          share(values, isWord) === 1)
      )
    case 'phone':
      return share(values, (value) => digitsIn(value) >= 5) < 0.3
    case 'national id':
    case 'passport':
    case 'driving licence':
    case 'IBAN':
    case 'account':
      return share(values, (value) => digitsIn(value) >= 4) < 0.3
    case 'card':
    case 'birth':
      return share(values, (value) => digitsIn(value) >= 2) < 0.3 && kind === 'card'
    case 'plate':
      return share(values, (value) => /\d/.test(value)) < 0.3
    case 'IP':
      return isNumber(type) || share(values, (value) => /[.:].*[.:]/.test(value)) < 0.3
    case 'name':
      return (
        isNumber(type) ||
        (values.length > 0 && share(values, (value) => isCompanyName(value) || /\d/.test(value)) >= 0.9)
      )
    case 'username':
      return isNumber(type)
    case 'address':
      return values.length > 0 && isFew(values) && share(values, isWord) === 1 && !isNumber(type)
    default:
      return false
  }
}

/** One word in lower case or capitals, like a code. */
const isWord = (value: string): boolean => /^(?:[a-z_-]{1,20}|[A-Z_-]{1,12})$/.test(value)
