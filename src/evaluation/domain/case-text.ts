import { parse, stringify } from 'yaml'
import { ellipsis } from '../../kernel/domain/text.ts'
import { visible, visibleLine } from '../../kernel/domain/trust/visible.ts'
import { comparisonFields } from './comparison.ts'
import type { TestCase } from './test-case.ts'

/** Case to be written: its expectations, and material that only a person may use. */
export interface WrittenCase {
  readonly fields: { readonly name: string; readonly kind: string } & Readonly<Record<string, unknown>>
  /** One comment line above the case. */
  readonly about: string
  /** Quotes below it, as comments, because nobody has confirmed them yet. */
  readonly quotes: readonly { readonly title: string; readonly text: string }[]
}

const LONGEST_NAME = 80
const LONGEST_QUOTE = 4_000

/** One entry of a list of cases. Quotes cannot break out of their comments. */
export function caseText({ fields, about, quotes }: WrittenCase): string {
  return [
    ...commented('# ', about),
    entryText(fields).trimEnd(),
    ...quotes.flatMap(({ title, text }) =>
      text.trim() === ''
        ? []
        : [...commented('  # ', title), ...commented('  #   ', ellipsis(visible(text).trim(), LONGEST_QUOTE))],
    ),
    '',
  ].join('\n')
}

/**
 * Texts are written as blocks, or quoted if one ends with blank lines: a block would merge them with the text that
 * follows.
 */
function entryText(fields: WrittenCase['fields']): string {
  const blocks = `${stringify([fields], { lineWidth: 0 }).trimEnd()}\n`
  const isSame = JSON.stringify(parse(blocks)) === JSON.stringify([fields])
  return isSame ? blocks : stringify([fields], { lineWidth: 0, blockQuote: false })
}

/** Parsed case as text, without defaults. */
export const foundCaseText = (test: TestCase): string =>
  stringify(Object.fromEntries(Object.entries(test).filter(([field, value]) => !isUsual(field, value))), {
    lineWidth: 0,
  })

const USUAL: Readonly<Record<string, unknown>> = { need: 'all', mode: 'both', at: 10 }

const isUsual = (field: string, value: unknown): boolean =>
  value === USUAL[field] ||
  (Array.isArray(value) && value.length === 0) ||
  (field === 'compare' && JSON.stringify(value) === JSON.stringify(comparisonFields.parse({})))

const commented = (mark: string, text: string): string[] =>
  visible(text)
    .split('\n')
    .map((line) => `${mark}${line}`.trimEnd())

/** Unique name of a case, from its question. */
export function caseName(question: string, taken: ReadonlySet<string> = new Set()): string {
  const name = ellipsis(visibleLine(question), LONGEST_NAME) || 'A question'
  const known = new Set([...taken].map((one) => one.toLowerCase()))
  let free = name
  for (let number = 2; known.has(free.toLowerCase()); number++) free = `${name} (${number})`
  return free
}

/** File name for a case, without folder and extension. */
export function caseFileName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return (words ?? ['a-question']).join('-').slice(0, 60).replace(/-$/, '')
}
