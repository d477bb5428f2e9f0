import { expect, test } from 'vitest'
import { faultsOf, runWanted, USUAL_CHOICE } from './run-choice.ts'

test('the default choice runs all cases, compared with the last run if there is one', () => {
  expect(faultsOf(USUAL_CHOICE)).toEqual({})
  expect(runWanted(USUAL_CHOICE, ['a/one'], true)).toEqual({ threads: 4, baseline: 'last' })
  expect(runWanted(USUAL_CHOICE, ['a/one'], false)).toEqual({ threads: 4 })
})

test('converts the form to the operation’s input', () => {
  const choice = {
    ...USUAL_CHOICE,
    which: 'chosen' as const,
    model: ' ollama:a , agent:codex',
    runs: '3',
    maxCost: '0.5',
  }
  expect(faultsOf(choice)).toEqual({})
  expect(runWanted({ ...choice, compare: false }, ['a/one'], true)).toEqual({
    threads: 4,
    select: ['a/one'],
    model: ['ollama:a', 'agent:codex'],
    runs: 3,
    max_cost: 0.5,
  })
})

test('reports invalid choices by field', () => {
  const faults = faultsOf({ ...USUAL_CHOICE, threads: '0', runs: 'many', maxCost: '1e9', model: 'gpt' })
  expect(Object.keys(faults).toSorted()).toEqual(['maxCost', 'model', 'runs', 'threads'])
})
