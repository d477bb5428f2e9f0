import { judgeColumns } from '../src/context/domain/personal/judge-columns.ts'
import { maskOf } from '../src/context/domain/personal/kinds.ts'
import { maskCell } from '../src/context/domain/personal/mask-cell.ts'
import { heldBackTables } from './personal/held-back.ts'
import type { LabelledTable } from './personal/make.ts'
import { isLeft, leaksOfSync } from './personal/sync.ts'
import { tunedTables } from './personal/tuned.ts'
import type { Figure } from './suite.ts'

const LEAST_RECALL = 0.97
const MOST_FALSE = 0.03

const ENGINES = ['duckdb', 'sqlite'] as const

const halves = () =>
  [
    { name: 'tuned', tables: tunedTables() },
    { name: 'kept back', tables: heldBackTables() },
  ] as const

/** Counts masked personal values, wrongly masked other values, and personal values left in the files of a sync. */
export async function personalFigures(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name: half, tables } of halves()) {
    const { planted, innocents, missed, mistaken } = measure(tables)
    const at = { set: 'personal values', half } as const
    figures.push(
      { ...at, measure: 'masked', value: planted.length - missed.length, of: planted.length, better: 'higher' },
      { ...at, measure: 'false alarms', value: mistaken.length, of: innocents.length, better: 'lower' },
    )
  }
  for (const engine of ENGINES) {
    const { leaks, planted } = await leaksOfSync(engine, allTables())
    const set = `personal values, files of \`ken sync\` (${engine})`
    figures.push({ set, half: 'all', measure: 'left in files', value: leaks.length, of: planted, better: 'lower' })
  }
  return figures
}

if (import.meta.main) process.exitCode = (await print()) ? 0 : 1

async function print(): Promise<boolean> {
  let isMet = true
  for (const { name: half, tables } of halves()) {
    const name = half.replace('kept', 'held')
    const { planted, innocents, missed, mistaken } = measure(tables)
    const kinds = new Set(planted.map(({ kind }) => kind))
    if (1 - missed.length / planted.length < LEAST_RECALL || mistaken.length / innocents.length > MOST_FALSE)
      isMet = false
    console.log(
      `${name.padEnd(10)} recall ${percent(1 - missed.length / planted.length)} (${planted.length - missed.length} of ${planted.length} values of ${kinds.size} kinds)  false alarms ${percent(mistaken.length / innocents.length)} (${mistaken.length} of ${innocents.length})`,
    )
    if (process.argv.includes(`--show=${name.replace(' ', '-')}`))
      for (const { where, value, text } of [...missed, ...mistaken]) console.log(`  ${where}: ${value.text} -> ${text}`)
  }
  for (const engine of ENGINES) {
    const { leaks, files, planted, shown } = await leaksOfSync(engine, allTables())
    if (leaks.length > 0) isMet = false
    console.log(
      `${engine.padEnd(10)} ken sync: ${leaks.length} of ${planted} planted values or their parts in ${files} committed files; ${shown} columns of values that are nobody's are shown`,
    )
    for (const leak of leaks.slice(0, 20)) console.log(`  ${leak}`)
  }
  console.log(
    `Wanted: recall at least ${percent(LEAST_RECALL)} and false alarms at most ${percent(MOST_FALSE)} in both halves, and nothing in the files.`,
  )
  return isMet
}

function measure(tables: readonly LabelledTable[]) {
  const shown = tables.flatMap(maskedValues)
  const planted = shown.filter(({ value }) => value.planted.length > 0)
  const innocents = shown.filter(({ value }) => value.planted.length === 0)
  return {
    planted,
    innocents,
    missed: planted.filter(({ value, text }) => value.planted.some((part) => isLeft(part, text))),
    mistaken: innocents.filter(({ value, text }) => text !== value.text),
  }
}

function allTables(): LabelledTable[] {
  return halves().flatMap(({ tables }) => tables)
}

/** Every value of a table as a preview would show it. */
function maskedValues({ name, columns }: LabelledTable) {
  const rows = columns[0]!.values.map((_, i) => columns.map((column) => column.values[i]!.text))
  const found = judgeColumns({ name, columns: columns.map((column) => ({ name: column.name, type: 'VARCHAR' })) }, rows)
  return columns.flatMap((column) => {
    const kind = found.columns.find((one) => one.name === column.name)?.kind
    return column.values.map((value) => ({
      value,
      kind: column.kind,
      where: `${name}.${column.name}`,
      text: kind === undefined ? maskCell(value.text, found.contextOf(column.name)) : maskOf(kind),
    }))
  })
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`
}
