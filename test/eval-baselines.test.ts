import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { baselineNames, compareRows, readBaseline } from '../eval/baselines.ts'
import { runApart } from '../eval/suite-process.ts'
import { keyOf, rounded, type Row } from '../eval/suite.ts'
import { SUITES } from '../eval/suites.ts'
import { evalTable, shown } from '../eval/table.ts'
import { evalTables, withTables } from '../scripts/eval-tables.ts'

const row = (more: Partial<Row> = {}): Row => ({
  suite: 'guard',
  set: 'changes',
  half: 'kept back',
  measure: 'found',
  value: 45,
  of: 45,
  better: 'higher',
  ...more,
})
const standing = (now: Partial<Row>, before: Partial<Row>) => compareRows([row(now)], [row(before)])[0]!.standing

describe('a figure against its baseline', () => {
  test('one case fewer is worse, unless the tolerance allows it', () => {
    expect(standing({ value: 44 }, {})).toBe('worse')
    expect(standing({ value: 44, tolerance: 1 }, {})).toBe('within')
    expect(standing({ value: 43, tolerance: 1 }, {})).toBe('worse')
    expect(standing({}, {})).toBe('same')
    expect(standing({}, { value: 44 })).toBe('better')
  })

  test('an increase is worse if less is better', () => {
    expect(standing({ value: 2, better: 'lower' }, { value: 1, better: 'lower' })).toBe('worse')
    expect(standing({ value: 0, better: 'lower' }, { value: 1, better: 'lower' })).toBe('better')
  })

  test('a mean may lose only its last digits', () => {
    const mean = { of: undefined as never, value: 0.7664 }
    expect(standing({ ...mean, value: 0.7624 }, mean)).toBe('within')
    expect(standing({ ...mean, value: 0.7604 }, mean)).toBe('worse')
  })

  test('a set that grew is compared by its share', () => {
    expect(standing({ value: 90, of: 90 }, {})).toBe('same')
    expect(standing({ value: 89, of: 90 }, {})).toBe('worse')
    expect(standing({ value: 89, of: 90, tolerance: 1 }, {})).toBe('within')
  })

  test('a figure that was not measured is gone, and one without a baseline is new', () => {
    const other = row({ set: 'others' })
    expect(compareRows([row()], [other]).map(({ standing: stands }) => stands)).toEqual(['new', 'gone'])
  })
})

test('the table has a section per suite, with the previous value and the figures that became worse', () => {
  const worse = row({ value: 40, peer: { name: 'BM25', value: 12 } })
  const table = evalTable(compareRows([worse, row({ suite: 'sql', set: 'duckdb' })], [row()]))
  expect(table.split('\n')).toEqual([
    '  set      half       measure  value     beside it      baseline',
    'guard',
    '  changes  kept back  found    40 of 45  12 of 45 BM25  45 of 45  WORSE',
    'sql',
    '  duckdb   kept back  found    45 of 45                 none      new',
  ])
  expect([shown({ value: 0.7664 }), shown({ value: 1 }), shown({ value: 12.345 })]).toEqual(['.766', '1.000', '12.35'])
})

describe('a suite runs in a separate process', () => {
  const run = (name: string, most?: number) =>
    runApart(name, {
      from: join(import.meta.dirname, 'eval-suites.ts'),
      data: '/data',
      ...(most !== undefined && { most }),
    })

  test('its figures and skipped parts are returned', async () => {
    expect(await run('good')).toMatchObject({
      suite: 'good',
      figures: [{ set: 's', value: 1, of: 2 }],
      leftOut: [{ set: 'other', why: 'no engine for /data' }],
      failure: undefined,
    })
  })

  test('a suite that breaks in any way reports it and has no figures', async () => {
    const broken = await Promise.all([
      run('throwing'),
      run('leaving'),
      run('crashing'),
      run('empty'),
      run('hanging', 1_500),
      run('unknown'),
    ])
    expect(broken.map(({ figures }) => figures.length)).toEqual([0, 0, 0, 0, 0, 0])
    expect(broken.map(({ failure }) => failure)).toEqual([
      expect.stringContaining('the set is gone'),
      expect.stringContaining('its process ended with 0'),
      expect.stringContaining('its process ended with SIGABRT'),
      expect.stringContaining('it measured nothing'),
      expect.stringContaining('no end after'),
      expect.stringContaining('there is no suite unknown'),
    ])
  })
})

describe('the baselines', () => {
  const rows = baselineNames().flatMap(readBaseline)

  test('cover each suite that runs everywhere, and contain each figure once and rounded', () => {
    const everywhere = SUITES.filter(({ needs, takes }) => needs === undefined && takes !== 'minutes')
    expect(baselineNames()).toEqual(expect.arrayContaining(everywhere.map(({ name }) => name)))
    expect(SUITES.map(({ name }) => name)).toEqual(expect.arrayContaining(baselineNames()))
    expect(new Set(rows.map(keyOf)).size).toBe(rows.length)
    expect(rows.filter(({ value }) => value !== rounded(value))).toEqual([])
  })

  test('contain no attack that had an effect and no statement that got through', () => {
    const zero = rows.filter(
      ({ suite, measure }) => suite === 'injection' || (suite === 'sql' && measure.includes('attacks')),
    )
    expect(zero.length).toBeGreaterThan(20)
    expect(zero.filter(({ value }) => value !== 0)).toEqual([])
  })

  test('a changed figure changes docs/quality.md', () => {
    const now = evalTables(rows)['quality']!
    const other = rows.map((one) => (one.suite === 'rejections' ? { ...one, value: 1 } : one))
    expect(evalTables(other)['quality']).not.toBe(now)
    const page = `a\n<!-- eval:quality:start -->\nold\n<!-- eval:quality:end -->\nb\n`
    expect(withTables(page, { quality: '| new |' })).toBe(
      'a\n<!-- eval:quality:start -->\n| new |\n<!-- eval:quality:end -->\nb\n',
    )
  })

  test('a page with an unknown table, or without an end mark, is reported', () => {
    expect(() => withTables('<!-- eval:x:start -->\n<!-- eval:x:end -->\n', {})).toThrow('no eval table "x"')
    expect(() => withTables('<!-- eval:x:start -->\nrest', { x: '' })).toThrow('has no end')
  })
})
