import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keyOf, rounded, toleranceOf, type Figure, type Row } from './suite.ts'

const FOLDER = join(import.meta.dirname, 'baselines')

/** A measured figure beside its value in the baseline. */
export interface Compared {
  readonly row: Row
  readonly baseline: Figure | undefined
  readonly standing: 'same' | 'better' | 'worse' | 'within' | 'new' | 'gone'
}

/**
 * Every measured row, then every baseline row that was not measured, as `gone`. A set with a changed number of cases is
 * compared by its share.
 */
export function compareRows(measured: readonly Row[], baseline: readonly Row[]): Compared[] {
  const before = new Map(baseline.map((row) => [keyOf(row), row]))
  const now = new Set(measured.map(keyOf))
  return [
    ...measured.map((row): Compared => {
      const old = before.get(keyOf(row))
      return { row, baseline: old, standing: old === undefined ? 'new' : standingOf(row, old) }
    }),
    ...baseline
      .filter((row) => !now.has(keyOf(row)))
      .map((row): Compared => ({ row, baseline: row, standing: 'gone' })),
  ]
}

function standingOf(row: Row, old: Figure): Compared['standing'] {
  const isSameSize = row.of === old.of
  const shareOf = ({ value, of }: Figure): number => (isSameSize || of === undefined || of === 0 ? value : value / of)
  const gain = (shareOf(row) - shareOf(old)) * (row.better === 'higher' ? 1 : -1)
  // Values are rounded when written: a smaller difference does not count.
  if (Math.abs(gain) < 1e-9) return 'same'
  if (gain > 0) return 'better'
  const allowed = toleranceOf(row) / (isSameSize ? 1 : (row.of ?? 1))
  return -gain > allowed + 1e-9 ? 'worse' : 'within'
}

export function readBaseline(suite: string): Row[] {
  const path = pathOf(suite)
  if (!existsSync(path)) return []
  const { rows } = JSON.parse(readFileSync(path, 'utf8')) as { rows: Figure[] }
  return rows.map((row) => ({ suite, ...row }))
}

/** One figure per line, in the suite's order. Figures of skipped sets are kept. */
export function writeBaseline(suite: string, rows: readonly Row[]): void {
  const lines = rows.map((row) => `    ${JSON.stringify(steady(row))}`)
  writeFileSync(pathOf(suite), `{\n  "suite": ${JSON.stringify(suite)},\n  "rows": [\n${lines.join(',\n')}\n  ]\n}\n`)
}

export const baselineNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -5))
    .sort()

const pathOf = (suite: string): string => join(FOLDER, `${suite}.json`)

const steady = ({ set, half, measure, value, of, better, peer, tolerance }: Figure): Figure => ({
  set,
  half,
  measure,
  value: rounded(value),
  ...(of !== undefined && { of }),
  better,
  ...(peer !== undefined && { peer: { name: peer.name, value: rounded(peer.value) } }),
  ...(tolerance !== undefined && { tolerance }),
})
