import { expect, test } from 'vitest'
import { decisionFile } from '../../../test/contract/decision-text.ts'
import type { JournalEvent } from './journal/event.ts'
import { planMergeRepair } from './merge-repair.ts'
import { decisionsOf, type RecordFiles } from './merge.ts'

const event = (id: string, day: number, files: string[], after: string[] = []): JournalEvent => ({
  event_version: 1,
  id,
  at: `2026-01-0${day}T00:00:00.000Z`,
  operation: 'edit',
  origin: { surface: 'cli' },
  facts: {},
  files: Object.fromEntries(files.map((path) => [path, 'hash'])),
  after,
})
const record = (...files: (readonly [string, string])[]): RecordFiles => Object.fromEntries(files)
const numbers = (files: RecordFiles, changes: Readonly<Record<string, string | undefined>>) => {
  const merged = Object.fromEntries(
    Object.entries({ ...files, ...changes }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return [...decisionsOf(merged).values()].map((d) => [d.num, d.title]).toSorted()
}

test('a record without duplicate numbers needs no repair', () => {
  expect(planMergeRepair(record(decisionFile(1, 'One'), decisionFile(2, 'Two')), [])).toEqual({
    changes: {},
    renumbered: [],
    ambiguous: [],
    conflicts: [],
  })
})

test('the earlier date keeps the number if there is no journal, and equal dates are sorted by name', () => {
  const dated = record(
    decisionFile(1, 'Alpha', { date: '2026-02-02' }),
    decisionFile(1, 'Beta', { date: '2026-01-01' }),
  )
  expect(numbers(dated, planMergeRepair(dated, []).changes)).toEqual([
    [1, 'Beta'],
    [2, 'Alpha'],
  ])
  const alike = record(decisionFile(1, 'Beta'), decisionFile(1, 'Alpha'))
  expect(numbers(alike, planMergeRepair(alike, []).changes)).toEqual([
    [1, 'Alpha'],
    [2, 'Beta'],
  ])
})

test('three decisions with one number get three numbers, the new ones above all others', () => {
  const files = record(decisionFile(4, 'A'), decisionFile(4, 'B'), decisionFile(4, 'C'), decisionFile(9, 'Nine'))
  expect(numbers(files, planMergeRepair(files, []).changes)).toEqual([
    [10, 'B'],
    [11, 'C'],
    [4, 'A'],
    [9, 'Nine'],
  ])
})

test('a reference follows the decision that existed when the reference was written', () => {
  const files = record(
    decisionFile(1, 'Ours'),
    decisionFile(1, 'Theirs'),
    ['project.md', 'We hold to D1.\n'],
    ['stack.md', 'As D001 says.\n'],
  )
  const events = [
    event('a', 1, ['decisions/001-ours.md']),
    event('b', 2, ['project.md'], ['a']),
    event('x', 3, ['decisions/001-theirs.md']),
    event('y', 4, ['stack.md'], ['x']),
    event('j', 5, [], ['b', 'y']),
  ]
  const { changes, ambiguous } = planMergeRepair(files, events)
  expect(changes).toMatchObject({ 'stack.md': 'As D002 says.\n', 'decisions/001-theirs.md': undefined })
  expect('project.md' in changes).toBe(false)
  expect(ambiguous).toEqual([])
})

test('an ambiguous reference is not changed but reported', () => {
  const files = record(decisionFile(1, 'Ours'), decisionFile(1, 'Theirs'), ['project.md', 'We hold to D1.\n'])
  const { changes, ambiguous } = planMergeRepair(files, [])
  expect('project.md' in changes).toBe(false)
  expect(ambiguous).toEqual(['project.md: "We hold to D1." may mean 001-ours or 001-theirs'])
})

test('an unreadable file keeps its bytes and still gets its own number', () => {
  const files = record(decisionFile(3, 'Fine', { date: '2026-01-01' }), [
    'decisions/003-broken.md',
    'no decision at all\n',
  ])
  expect(planMergeRepair(files, []).changes).toMatchObject({
    'decisions/003-broken.md': undefined,
    'decisions/004-broken.md': 'no decision at all\n',
  })
})
