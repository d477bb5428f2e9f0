import { baselineNames, readBaseline } from '../eval/baselines.ts'
import type { Half, Row } from '../eval/suite.ts'
import { EVAL_LINES, type EvalLine } from './eval-lines.ts'

/** Tables of the documents, by the name of the marks around them; built from the baselines alone. */
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

/** Table of suite figures with their peers. */
function qualityTable(rows: readonly Row[]): string {
  const lines = EVAL_LINES.map((line) => {
    const own = cellOf(line, rows, ({ value, of }) => [value, of])
    const peers = cellOf(line, rows, ({ peer, of }) => (peer === undefined ? undefined : [peer.value, of]))
    const names = [...new Set(figuresOf(line, rows).flatMap(({ peer }) => peer?.name ?? []))].join(', ')
    const beside = [peers === '' ? '' : `${peers} ${names}`, line.beside ?? ''].filter((part) => part !== '').join('; ')
    return `| ${line.what} | ${own} | ${beside} | \`${line.suite}\` |`
  })
  return ['| what | Ken | beside it | suite |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

type Shown = readonly [value: number, of: number | undefined]

/** Cell with the tuning and the held-out half, if there are two. */
function cellOf(line: EvalLine, rows: readonly Row[], shownOf: (row: Row) => Shown | undefined): string {
  const half = (name: Half): string => {
    const own = figuresOf(line, rows).filter((row) => row.half === name)
    const shown = own.map(shownOf).filter((one) => one !== undefined)
    if (shown.length === 0) return ''
    const values = line.sum ? [sumOf(shown)] : shown
    return values.map((one) => shownAs(one, line.percent === true)).join(', ')
  }
  const [all, tuned, kept] = [half('all'), half('tuned'), half('kept back')]
  return [kept === '' ? '' : `kept back ${kept}`, tuned === '' ? '' : `tuned ${tuned}`, all]
    .filter((part) => part !== '')
    .join('; ')
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
  const cells = (set: string): string[] => [
    `${share(set, 'the decision first')}, ${share(set, 'among five')}`,
    share(set, 'told related'),
    `${share(set, 'unrelated told related')}, ${share(set, 'unrelated told anything')}`,
  ]
  const head =
    '| decisions | easier set: first, among five | told `related` | unrelated told `related`, anything | five domains: first, among five | told `related` | unrelated told `related`, anything |'
  const measured = CHECK_SIZES.filter((size) => rows.some(({ set }) => set === `five domains, ${size}`))
  const lines = measured.map((size) => {
    const name = size === 'its own record' ? '35 to 74, its own' : size.replace(' decisions', '')
    return `| ${[name, ...cells(`easier set, ${size}`), ...cells(`five domains, ${size}`)].join(' | ')} |`
  })
  return [head, `|${' --- |'.repeat(7)}`, ...lines].join('\n')
}

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
