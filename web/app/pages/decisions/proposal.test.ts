import { expect, test } from 'vitest'
import { EMPTY_PROPOSAL, isBegun, pathsOf, toInput } from './proposal.ts'

test('empty fields are left out', () => {
  const draft = {
    ...EMPTY_PROPOSAL,
    title: ' Cache reads ',
    rationale: 'Why.',
    rejected: [{ alternative: ' ', reason: '' }],
  }
  expect(toInput(draft, [])).toEqual({ title: 'Cache reads', rationale: 'Why.', confidence: 'medium' })
})

test('a superseding proposal names all decisions that it supersedes', () => {
  const draft = {
    ...EMPTY_PROPOSAL,
    title: 'T',
    rationale: 'R',
    files: 'src/a.ts\n src/b.ts, src/a.ts',
    type: 'data_model',
    resolves: ['Q3'],
    rejected: [{ alternative: 'X', reason: 'slow' }],
  }
  expect(toInput(draft, [2, 5])).toMatchObject({
    operation: 'supersede',
    affected_decision_id: 'D2, D5',
    files_affected: ['src/a.ts', 'src/b.ts'],
    decision_type: 'data_model',
    resolves_questions: ['Q3'],
    rejected: [{ alternative: 'X', reason: 'slow' }],
  })
})

test('an unknown type or confidence stored by an older page is left out', () => {
  expect(toInput({ ...EMPTY_PROPOSAL, type: 'mystery', confidence: 'sure' }, [])).toEqual({ title: '', rationale: '' })
})

test('a proposal is checked only once it has text', () => {
  expect(isBegun(EMPTY_PROPOSAL)).toBe(false)
  expect(isBegun({ ...EMPTY_PROPOSAL, title: 'Use Go' })).toBe(true)
  expect(pathsOf(' ')).toEqual([])
})
