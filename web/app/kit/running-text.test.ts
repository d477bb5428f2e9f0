import { expect, test } from 'vitest'
import { runningText } from './running-text.ts'

test('a table becomes its cells, and a link its text', () => {
  expect(runningText('| rows | 64 |\n| --- | --: |\n|  |  |\n| columns | 5 |', 100)).toBe('rows · 64 columns · 5')
  expect(runningText('See [joins.md](joins.md), ![a map](map.png).', 100)).toBe('See joins.md, a map.')
})

test('turn metadata of a session file is left out', () => {
  const turns =
    '## User\n> at: 2026-11-11T09:25:00.000Z\n\nWhich share?\n\n## Assistant\n> tool check_decision: {}\nHalf.'
  expect(runningText(turns, 100)).toBe('Which share? Half.')
})

test('a snippet of a session names its speakers, without its time and its tool calls', () => {
  const snippet =
    '2026-11-14 09:29 User: Which share came back?\nAssistant: tool execute_sql (ok)\ntool write: {}\nAssistant: Half.'
  expect(runningText(snippet, 100)).toBe('You: Which share came back? Agent: Half.')
})

test('a heading is set apart from the text below it', () => {
  expect(runningText('## Decision\nTwo hours.\n## Why?\nDrivers.', 100)).toBe('Decision: Two hours. Why? Drivers.')
})

test('a long line of brackets is parsed quickly and truncated', () => {
  expect(runningText('['.repeat(100_000), 10)).toBe(`${'['.repeat(10)}…`)
})
