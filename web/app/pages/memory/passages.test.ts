import { expect, test } from 'vitest'
import { passagesOf } from './passages.ts'

const hit = (snippet: string, parts: { start_line: number; end_line: number; snippet: string }[] = []) => ({
  title: 'The wombat sleeps.',
  start_line: 4,
  snippet,
  parts,
})

test('passages are running text without turn metadata, and a note is not repeated', () => {
  expect(passagesOf(hit('## User\n> at: 2026\n\nWhere does\n  it sleep?'))).toEqual([
    { line: 4, text: 'Where does it sleep?' },
  ])
  expect(passagesOf(hit('tags: zoo\nThe wombat sleeps.'))).toEqual([])
  expect(passagesOf(hit('# The wombat sleeps.\n\n- **In** a `burrow`'))).toEqual([{ line: 4, text: 'In a burrow' }])
})

test('returns at most three passages, each of limited length', () => {
  const part = (start_line: number) => ({ start_line, end_line: start_line, snippet: `p${start_line}` })
  const found = passagesOf(hit('x'.repeat(10_000), [part(7), part(9), part(11)]))
  expect(found.map(({ line }) => line)).toEqual([4, 7, 9])
  expect(found[0]!.text).toHaveLength(321)
})
