import { baselineNames, readBaseline } from '../eval/baselines.ts'
import type { Half, Row } from '../eval/suite.ts'
import { EVAL_LINES, type EvalLine } from './eval-lines.ts'

/** Tables for the documents, by the name of the marks around them; built only from the baselines. */
export function evalTables(rows: readonly Row[] = readAll()): Readonly<Record<string, string>> {
  return {
    quality: qualityTable(rows),
    check: checkTable(rows),
    retrieval: retrievalTable(rows),
    tools: toolTable(rows),
  }
}

/** Returns a page with its tables updated. Throws for a mark without a table, or without its end. */
export function withTables(page: string, tables: Readonly<Record<string, string>>): string {
  return page.replaceAll(
    /<!-- eval:([\w-]+):start -->\n[\s\S]*?(<!-- eval:\1:end -->|$)/g,
    (_, name: string, end: string) => {
      const table = tables[name]
      if (table === undefined) throw new Error(`there is no eval table "${name}"`)
      if (end === '') throw new Error(`<!-- eval:${name}:start --> has no end`)
      return `<!-- eval:${name}:start -->\n${table}\n${end}`
    },
  )
}

const readAll = (): Row[] => baselineNames().flatMap(readBaseline)

/** Renders a section for each line of figures: a row for each figure, held-out cases first. */
const qualityTable = (rows: readonly Row[]): string =>
  EVAL_LINES.map((line) => [`### ${line.title}`, '', line.what, '', ...figureTable(line, rows)].join('\n')).join('\n\n')

type Shown = readonly [value: number, of: number | undefined]

const COLUMNS = ['figure', 'held-out', 'tuning', 'all cases', 'compared with'] as const

/** Columns without a value are left out. */
function figureTable(line: EvalLine, rows: readonly Row[]): string[] {
  const own = figuresOf(line, rows)
  const names = line.sum ? [''] : [...new Set(own.map(nameOf))]
  const lines = names.map((name) => {
    const figures = line.sum ? own : own.filter((row) => nameOf(row) === name)
    const cell = (half: Half): string => shownOf(line, figures.filter((row) => row.half === half).map(valueOf))
    const peers = (['kept back', 'tuned', 'all'] as const).flatMap((half) => {
      const ofHalf = figures.filter((row) => row.half === half && row.peer !== undefined)
      const shown = shownOf(
        line,
        ofHalf.map(({ peer, of }) => [peer!.value, of] as const),
      )
      return shown === '' ? [] : [`${shown} ${ofHalf[0]!.peer!.name}`]
    })
    return [name === '' ? 'total' : name, cell('kept back'), cell('tuned'), cell('all'), peers[0] ?? '']
  })
  const used = COLUMNS.flatMap((_, at) => (lines.some((cells) => cells[at] !== '') ? [at] : []))
  const written = [[...COLUMNS], COLUMNS.map(() => '---'), ...lines].map(
    (cells) => `| ${used.map((at) => cells[at]).join(' | ')} |`,
  )
  return [...written, ...(line.beside === undefined ? [] : ['', `Elsewhere: ${line.beside}.`])]
}

const valueOf = ({ value, of }: Row): Shown => [value, of]

/** Label of a figure: the suite's names of its set and its measure. */
const nameOf = ({ set, measure }: Row): string => `${set}: ${measure}`.replaceAll('|', String.raw`\|`)

function shownOf(line: EvalLine, shown: readonly Shown[]): string {
  if (shown.length === 0) return ''
  return shownAs(line.sum ? sumOf(shown) : shown[0]!, line.percent === true)
}

const sumOf = (shown: readonly Shown[]): Shown =>
  shown.reduce(([value, of], [more, ofMore]) => [value + more, (of ?? 0) + (ofMore ?? 0)] as const)

/** Returns the figures in the order of the line. Throws for a figure that no baseline has. */
function figuresOf({ suite, figures }: EvalLine, rows: readonly Row[]): Row[] {
  return figures.flatMap(({ set, measure }) => {
    const own = rows.filter(
      (row) => row.suite === suite && (set === undefined || row.set === set) && measure.test(row.measure),
    )
    if (own.length === 0) throw new Error(`no baseline of ${suite} has ${set ?? 'a set'} with ${measure}`)
    return own
  })
}

function shownAs([value, of]: Shown, isPercent: boolean): string {
  if (of !== undefined) return isPercent ? percent(value / of) : `${number(value)} of ${number(of)}`
  return isPercent ? percent(value) : fraction(value)
}

const CHECK_SIZES = ['5 decisions', 'its own record', '1,000 decisions', '10,000 decisions']

/** Proposals that the check calls related, by record size; the held-out half. */
function checkTable(rows: readonly Row[]): string {
  const share = (set: string, measure: string): string => {
    const row = rows.find((one) => one.set === set && one.half === 'kept back' && one.measure === measure)
    if (row === undefined) throw new Error(`no baseline has ${set}, ${measure}`)
    return percent(row.value / row.of!, 0)
  }
  const measured = CHECK_SIZES.filter((size) => rows.some(({ set }) => set === `five domains, ${size}`))
  const names = measured.map((size) => (size === 'its own record' ? '35 to 74 decisions' : size))
  const lines = CHECK_MEASURES.flatMap(([measure, name]) =>
    ['easier set', 'five domains'].map(
      (set) => `| ${[name, set, ...measured.map((size) => share(`${set}, ${size}`, measure))].join(' | ')} |`,
    ),
  )
  return [`| figure | set | ${names.join(' | ')} |`, `|${' --- |'.repeat(measured.length + 2)}`, ...lines].join('\n')
}

const CHECK_MEASURES = [
  ['the decision first', 'the decision ranks first'],
  ['among five', 'the decision is among five'],
  ['told related', 'the decision is reported as `related`'],
  ['unrelated told related', 'false alarms: an unrelated proposal is reported as `related`'],
  ['unrelated told anything', 'an unrelated proposal gets any result'],
] as const

/** Plain BM25, words alone, meaning alone and both, on every set. */
function retrievalTable(rows: readonly Row[]): string {
  const own = rows.filter(({ suite }) => suite === 'retrieval-public')
  const lines = own
    .filter(({ measure }) => !/, by (?:words|meaning)$/.test(measure))
    .map((row) => {
      const other = (by: string): Row =>
        own.find(({ set, measure }) => set === row.set && measure === `${row.measure}, by ${by}`)!
      const shown = ({ value, of }: Pick<Row, 'value' | 'of'>): string => shownAs([value, of], false)
      const plain = shown({ value: row.peer!.value, of: row.of! })
      return `| ${[row.set, row.measure, plain, shown(other('words')), shown(other('meaning')), shown(row)].join(' | ')} |`
    })
  return [
    '| set | measure | plain BM25 | `ken search` | `ken vsearch` | `ken query` |',
    '| --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n')
}

/** How often a picker chooses the right tool; tuning and held-out half. */
function toolTable(rows: readonly Row[]): string {
  const own = rows.filter(({ suite }) => suite === 'tools')
  const sets = [...new Set(own.filter(({ measure }) => measure !== 'bytes').map(({ set }) => set))]
  const lines = sets.map((set) => {
    const shown = (measure: string, half: Half, isPeer = false): string => {
      const row = own.find((one) => one.set === set && one.measure === measure && one.half === half)!
      return isPeer ? number(row.peer!.value) : `${number(row.value)} of ${number(row.of!)}`
    }
    const hasPeer = own.some((row) => row.set === set && row.peer !== undefined)
    const both = (measure: string): string => `${shown(measure, 'tuned')}; ${shown(measure, 'kept back')}`
    const before = (measure: string): string =>
      hasPeer ? ` (before ${shown(measure, 'tuned', true)}; ${shown(measure, 'kept back', true)})` : ''
    const cells = ['right tool first', 'right tool among five'].map((measure) => both(measure) + before(measure))
    return `| ${[set, ...cells, shown('left alone', 'all')].join(' | ')} |`
  })
  const sizes = own
    .filter(({ measure }) => measure === 'bytes')
    .map(({ set, value, peer }) => `${set}: ${number(value)} bytes${peer ? ` (before ${number(peer.value)})` : ''}`)
  return [
    '| tools, picker | right tool first: tuned; kept back | among five | left alone |',
    '| --- | --- | --- | --- |',
    ...lines,
    '',
    `${sizes.join(', ')}.`,
  ].join('\n')
}

const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits).replace(/\.0$/, '')} %`
const fraction = (value: number): string =>
  Math.abs(value) > 1 ? number(value) : value.toFixed(3).replace(/^0\./, '.')
const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 })
