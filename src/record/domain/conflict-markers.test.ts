import { expect, test } from 'vitest'
import { conflictVersions, hasConflictMarkers, withoutMarkers } from './conflict-markers.ts'
import { healed, isBroken } from './heal-joined.ts'

const TEXT = ['# A', '<<<<<<< HEAD', 'mine', '=======', 'yours', '>>>>>>> other', 'end', ''].join('\n')
const DIFF3 = TEXT.replace('=======', '||||||| 1a2b3c\nold\n=======')

test('reads both sides from the markers, and the base if git shows it', () => {
  expect(conflictVersions(TEXT)).toEqual({ ours: '# A\nmine\nend\n', base: '# A\nend\n', theirs: '# A\nyours\nend\n' })
  expect(conflictVersions(DIFF3)).toMatchObject({ base: '# A\nold\nend\n', theirs: '# A\nyours\nend\n' })
})

test('rejects markers that do not match', () => {
  expect(conflictVersions('<<<<<<< a\nx\n')).toBe(undefined)
  expect(conflictVersions('x\n>>>>>>> a\n')).toBe(undefined)
  expect(conflictVersions('<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n')).toBe(undefined)
})

test('a heading underlined with equal signs is not a conflict', () => {
  const text = 'Title\n=======\n\ntext\n'
  expect([hasConflictMarkers(text), withoutMarkers(text)]).toEqual([false, text])
})

test('joins questions from the markers alone if their versions are unknown', () => {
  const text =
    '# Open Questions\n\n<<<<<<< HEAD\n- [Q2] Which region?\n=======\n- [Q2] What about backups?\n>>>>>>> b\n- [Q1] Where?\n'
  const unknown = { isNew: false, base: undefined, ours: undefined, theirs: undefined }
  const joined = healed('open-questions.md', text, unknown)!['open-questions.md']!
  expect(isBroken('open-questions.md', text)).toBe(true)
  expect(isBroken('open-questions.md', joined)).toBe(false)
  for (const question of ['Which region?', 'What about backups?', 'Where?']) expect(joined).toContain(question)
})

test('does not change a decision that only a person can settle', () => {
  const unknown = { isNew: false, base: undefined, ours: undefined, theirs: undefined }
  expect(healed('decisions/001-a.md', TEXT, unknown)).toBe(undefined)
})
