import { expect, test } from 'vitest'
import { conflictIn, conflictQuestion, keptFile, keptText } from './merge-conflict.ts'

test('finds both texts of a conflict from its question', () => {
  const path = 'decisions/012-use a queue.md'
  for (const text of ['One.\n', 'a\n\n```sh\nls\n```\n', '````markdown\nb\n````\n']) {
    const { kept, content } = keptFile(path, text)
    expect(conflictIn(conflictQuestion({ path, kept }))).toEqual({ path, kept })
    expect(keptText(content)).toBe(text)
  }
})

test('ignores other questions, and files outside of the record', () => {
  expect(conflictIn('Which holds?')).toBeUndefined()
  expect(conflictIn(conflictQuestion({ path: '../../.bashrc', kept: 'context/kept-a.md' }))).toBeUndefined()
  expect(conflictIn(conflictQuestion({ path: 'project.md', kept: 'context/../journal/a.md' }))).toBeUndefined()
  expect(keptText('# A note\n')).toBeUndefined()
})
