import { QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { kindOf } from '../sources/column-kind.ts'
import type { NamedValue } from '../values/value-index.ts'
import { singular } from './identifier-words.ts'

interface TemplateTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** A template: what it counts, sums or lists, with its filters. */
export interface Template {
  /** Index of the table. */
  readonly table: number
  readonly kind: 'count' | 'sum' | 'list'
  /** Column of a sum. */
  readonly measure: string | undefined
  readonly filters: readonly { readonly column: string; readonly value: string }[]
}

const ASKED: readonly (readonly [RegExp, Template['kind']])[] = [
  [/^(?:how many|(?:what is the )?(?:number|count) of|count)\b/i, 'count'],
  [/^(?:what is the |the )?(?:total|sum)\b|^how much\b/i, 'sum'],
  [/^(?:list|show)\b/i, 'list'],
]
/** Words without influence on the meaning of a question. */
const EMPTY: ReadonlySet<string> = new Set(
  'how many much number count total sum list show all there of from in the a an is are was were do does did we us our have has had me what please with for at by to'.split(
    ' ',
  ),
)

/**
 * The template that answers a question without a model; undefined unless every word of the question is a part of it:
 * one table, one of its measures, and values of one of its columns.
 */
export function templateOf(
  question: string,
  tables: readonly TemplateTable[],
  values: readonly NamedValue[],
): Template | undefined {
  const asked = question.trim().replace(/^(?:please|can you|could you)\s+/i, '')
  const kind = ASKED.find(([pattern]) => pattern.test(asked))?.[1]
  const exact = values.filter(({ likeness }) => likeness === 1)
  const said = exact.reduce((text, { phrase }) => text.replace(phrase, ' '), ` ${wordsOf(asked).join(' ')} `)
  const words = wordsOf(said).map(singular)
  const named = tables.flatMap((table, i) => {
    const own = nameWords(table.name)
    return own.length > 0 && own.every((word) => words.includes(word)) ? [{ table, i, own }] : []
  })
  const [only] = named.toSorted((one, other) => other.own.length - one.own.length)
  if (kind === undefined || only === undefined) return undefined
  if (named.some(({ i, own }) => i !== only.i && !own.every((word) => only.own.includes(word)))) return undefined
  if (named.some(({ i, own }) => i !== only.i && own.length === only.own.length)) return undefined
  const left = words.filter((word) => !only.own.includes(word))
  const measures = only.table.columns.filter(
    ({ name, type }) => kindOf(type) === 'number' && nameWords(name).every((word) => left.includes(word)),
  )
  if (kind === 'sum' && measures.length !== 1) return undefined
  const measure = kind === 'sum' ? measures[0]!.name : undefined
  const filters = exact.map(({ places }) => {
    const own = places.filter(({ table }) => table === only.i)
    const [place] = own
    return own.length !== 1 || place?.value === undefined
      ? undefined
      : { column: only.table.columns[place.column]!.name, value: place.value }
  })
  if (filters.some((filter) => filter === undefined)) return undefined
  const known = filters as Template['filters']
  const used = new Set(
    [...(measure === undefined ? [] : [measure]), ...known.map(({ column }) => column)].flatMap(nameWords),
  )
  const isPlain = left.every((word) => EMPTY.has(word) || used.has(word))
  return isPlain ? { table: only.i, kind, measure, filters: known } : undefined
}

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []

const nameWords = (name: string): readonly string[] =>
  wordsOf(name.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replaceAll('_', ' '))
    .filter((word) => !QUERY_STOP_WORDS.has(word))
    .map(singular)
