import { expect, test } from 'vitest'
import { STARTED, addToState, compareStates } from './state.ts'

const NOW = new Date('2026-05-20T14:37:05Z')
const add = (current: string, text: string) => addToState({ current, history: 'h', legacy: undefined }, text, NOW)
const STAMP = '*Last updated: 2026-05-20T14:37Z*\n'

test('an addition is inserted below the existing text, as an item if there is a list', () => {
  expect(add('# Current State\n\n- a\n- b\n\n*Last updated: x*\n', 'c')).toMatchObject({
    current: `# Current State\n\n- a\n- b\n- c\n\n${STAMP}`,
    history: undefined,
  })
  expect(add('# Current State\n\nProse.\n', '- c')).toMatchObject({
    current: `# Current State\n\nProse.\n\n- c\n\n${STAMP}`,
  })
  expect(add('# Current State\n\n- a\n', 'x\n\ny')).toMatchObject({
    current: `# Current State\n\n- a\n\nx\n\ny\n\n${STAMP}`,
  })
})

test('the placeholder line of a new record is replaced and moves into the history', () => {
  expect(add(`# Current State\n\n${STARTED}\n`, 'Login works.')).toMatchObject({
    current: `# Current State\n\nLogin works.\n\n${STAMP}`,
    history: expect.stringContaining(STARTED),
  })
})

test('warns about a repeated addition, and does nothing without a state', () => {
  expect(add('# Current State\n\n- login page done\n', 'the login page done today')).toMatchObject({
    warning: 'State update shares keywords with existing entry: - login page done',
  })
  expect(addToState({ current: undefined, history: undefined, legacy: undefined }, 'x', NOW)).toEqual({
    status: 'noop',
  })
})

test('two states are compared line by line', () => {
  expect(compareStates('# Current State\n\n- a\n- b\n\n*Last updated: x*\n', '# Current State\n\n- b\n- c\n')).toEqual({
    kept: 1,
    added: ['- c'],
    gone: ['- a'],
  })
})
