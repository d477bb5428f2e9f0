import { expect, test } from 'vitest'
import { operationNamed, spellNames } from '../kernel/domain/named-operation.ts'
import { forAgents, FOR_PROGRAMS } from './spelling.ts'

test.each([
  [
    'Run `ken init` in the repository, or name one with --project.',
    'Ask the user to run `ken init` in the repository, or name one with project_id.',
  ],
  ['A snapshot cannot be read; run `ken doctor`.', 'A snapshot cannot be read; ask the user to run `ken doctor`.'],
  ['`ken update` makes it anew from your files.', 'memory_update makes it anew from your files.'],
  ['Run `ken update` again.', 'Call memory_update again.'],
  ['(`ken state --undo` takes this change back)', '(update_state takes this change back)'],
  ['`ken repair --take-back` undoes it.', "The user's `ken repair` undoes it."],
  ['Say who (`ken accept 2`).', "Say who (the user's `ken accept 2`)."],
  ['Choose another with --port, or 0.', 'Choose another with port, or 0.'],
  ['a -- b --- c', 'a -- b --- c'],
])('%s', (text, told) => {
  expect(forAgents(text)).toBe(told)
  expect(forAgents(told)).toBe(told)
})

test('presents an operation that no server offers as a command for the user to run', () => {
  const text = `${operationNamed('doctor')} and ${operationNamed('get_decision', 2)}`
  expect(forAgents(spellNames(text, FOR_PROGRAMS))).toBe("The user's `ken doctor` and get_decision(2)")
})
