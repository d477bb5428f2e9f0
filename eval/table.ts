import type { Compared } from './baselines.ts'
import type { Figure } from './suite.ts'

const HEADS = ['set', 'half', 'measure', 'value', 'beside it', 'baseline', '']

/** All figures as one table, a part for each suite. */
export function evalTable(compared: readonly Compared[]): string {
  const lines = compared.map((one) => ({ suite: one.row.suite, cells: cellsOf(one) }))
  const widths = HEADS.map((head, i) => Math.max(head.length, ...lines.map(({ cells }) => cells[i]!.length)))
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd()
  const parts = [...Map.groupBy(lines, ({ suite }) => suite)].map(([suite, own]) =>
    [suite, ...own.map(({ cells }) => line(cells))].join('\n'),
  )
  return [line(HEADS), ...parts].join('\n')
}

function cellsOf({ row, baseline, standing }: Compared): string[] {
  return [
    row.set,
    row.half,
    row.measure,
    standing === 'gone' ? 'not measured' : shown(row),
    row.peer === undefined ? '' : `${shown({ ...row, value: row.peer.value })} ${row.peer.name}`,
    baseline === undefined ? 'none' : shown(baseline),
    SAID[standing],
  ]
}

const SAID: Readonly<Record<Compared['standing'], string>> = {
  same: '',
  better: 'better',
  worse: 'WORSE',
  within: 'a little worse, within what is allowed',
  new: 'new',
  gone: 'GONE',
}

/** Formats a value: `92 of 95`, `.766`, `12.4`. */
export function shown({ value, of }: Pick<Figure, 'value' | 'of'>): string {
  if (of !== undefined) return `${value.toLocaleString('en')} of ${of.toLocaleString('en')}`
  if (Math.abs(value) > 1) return value.toLocaleString('en', { maximumFractionDigits: 2 })
  return value.toFixed(3).replace(/^0\./, '.')
}
