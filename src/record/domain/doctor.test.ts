import { expect, test } from 'vitest'
import type { CatalogueEntry } from './decision/catalogue.ts'
import { examine } from './doctor.ts'

const entry = (num: number, more: Partial<CatalogueEntry> = {}): CatalogueEntry => ({
  stem: `${String(num).padStart(3, '0')}-d${num}`,
  num,
  title: `Decision ${num}`,
  date: '2026-01-01',
  status: 'active',
  confidence: 'high',
  decision_type: null,
  files_affected: [],
  supersedes: null,
  superseded_by: null,
  trust: 'approved',
  ...more,
})
const kinds = (...decisions: CatalogueEntry[]) =>
  examine({
    catalogue: { decisions, unreadable: [] },
    updated: new Set<string>(),
    hashes: new Map(decisions.map((d) => [d.stem, d.stem])),
    hashIndex: {},
    questions: '',
  }).map((f) => f.kind)

test('finds no flaw in a consistent record', () => {
  expect(
    kinds(entry(1), entry(2, { status: 'superseded', superseded_by: '3' }), entry(3, { supersedes: '2' })),
  ).toEqual([])
})

test('finds each flaw', () => {
  expect(kinds(entry(1), entry(1, { stem: '001-other', title: 'Other' }))).toEqual(['duplicate-number'])
  expect(kinds(entry(1, { title: 'Use  Postgres' }), entry(2, { title: 'use postgres' }))).toEqual(['duplicate-title'])
  expect(kinds(entry(1, { supersedes: '9' }))).toEqual(['dangling'])
  expect(kinds(entry(1, { superseded_by: '2' }), entry(2))).toEqual(['contradiction'])
  expect(
    kinds(
      entry(1, { status: 'superseded', superseded_by: '2' }),
      entry(2, { status: 'superseded', superseded_by: '1' }),
    ),
  ).toEqual(['cycle'])
})

test('a half-written supersession can be repaired', () => {
  const [flaw] = examine({
    catalogue: { decisions: [entry(1), entry(2, { supersedes: '1' })], unreadable: [] },
    updated: new Set<string>(),
    hashes: new Map(),
    hashIndex: {},
    questions: '',
  })
  expect(flaw).toMatchObject({ kind: 'contradiction', repair: 'mark D001 as superseded' })
})

test('reports a hash index that names a deleted decision', () => {
  const flaws = examine({
    catalogue: { decisions: [], unreadable: [] },
    updated: new Set<string>(),
    hashes: new Map(),
    hashIndex: { abc: { decision_id: '001-gone', timestamp: '' } },
    questions: '',
  })
  expect(flaws.map((f) => f.kind)).toEqual(['hash-index'])
})

test('reports a question resolved by a missing decision, and a duplicate question', () => {
  const questions = '# Open Questions\n\n- [Q1] a?\n- [Q1] b?\n- [Resolved by D9 on 2026-01-01] [Q2] c?\n'
  const flaws = examine({
    catalogue: { decisions: [], unreadable: [] },
    updated: new Set<string>(),
    hashes: new Map(),
    hashIndex: {},
    questions,
  })
  expect(flaws.map((f) => f.message)).toEqual(['Q1 stands 2 times', 'Q2 was resolved by D9, which does not exist'])
})
