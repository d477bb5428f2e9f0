import { expect, test } from 'vitest'
import { chosenRows, stripRows, type CaseRow } from './strip-rows.ts'

const cases = {
  folder: 'tests',
  drafts: [],
  broken: [],
  cases: [
    { id: 'a/new', name: 'new', kind: 'answer' as const, tags: [], file: 'a.yaml', line: 9 },
    { id: 'a/one', name: 'one', kind: 'sql' as const, tags: ['money'], file: 'a.yaml', line: 1 },
  ],
}
const runs = {
  runs: [{ verdicts: ['failed', 'passed'] }, { verdicts: ['passed', null] }],
  cases: [
    { case: 'a/one', name: 'one', file: 'a.yaml', kind: 'sql', tags: [], model: 'ollama:x' },
    { case: 'b/gone', name: 'gone', file: 'b.yaml', kind: 'context', tags: [], model: '-' },
  ],
} as unknown as Parameters<typeof stripRows>[1]

test('cases from files and from runs are listed below their file, with outcomes of the oldest run first', () => {
  const rows = stripRows(cases, runs)
  expect(rows.map((row) => (row.kind === 'suite' ? `${row.file} ${row.cases}` : row.id))).toEqual([
    'a.yaml 2',
    'a/one',
    'a/new',
    'b.yaml 1',
    'b/gone',
  ])
  const [, one, fresh, , gone] = rows as readonly CaseRow[]
  expect(one).toMatchObject({ outcomes: ['passed', 'failed'], model: 'ollama:x', isGone: false, tags: ['money'] })
  expect(fresh).toMatchObject({ outcomes: ['not run', 'not run'], isGone: false })
  expect(gone).toMatchObject({ outcomes: ['not run', 'passed'], model: undefined, isGone: true })
})

test('filters by all words, or by a failed last run', () => {
  const rows = stripRows(cases, runs)
  const ids = (chosen: ReturnType<typeof chosenRows>) => chosen.flatMap((row) => (row.kind === 'case' ? [row.id] : []))
  expect(ids(chosenRows(rows, { q: 'MONEY one' }))).toEqual(['a/one'])
  expect(ids(chosenRows(rows, { only: 'failing' }))).toEqual(['a/one'])
  expect(chosenRows(rows, { q: 'nothing' })).toEqual([])
})
