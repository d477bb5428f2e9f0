import { expect, test } from 'vitest'
import { noteEntries, withoutEntries } from './note-entries.ts'

const FILE = `Written by hand.

## 2026-05-01T10:00:00.000Z

The build needs Node 24.

## Not a time

Still the same note.

## 2026-05-01T11:00:00.000Z

Call the printer Bruno.
`

test('splits a note file only at time headings', () => {
  expect(noteEntries(FILE).map(({ heading }) => heading)).toEqual([
    '',
    '2026-05-01T10:00:00.000Z',
    '2026-05-01T11:00:00.000Z',
  ])
  expect(
    noteEntries(FILE)
      .map(({ text }) => text)
      .join(''),
  ).toBe(FILE)
  expect(noteEntries('\n## 2026-05-01T11:00:00.000Z\n\nx\n')).toHaveLength(1)
  expect(noteEntries('')).toEqual([])
})

test('keeps the rest byte for byte if a note is removed, and is empty once all notes are removed', () => {
  const rest = withoutEntries(FILE, ({ text }) => text.includes('Node 24'))
  expect(rest).toBe(FILE.replace(/## 2026-05-01T10[\s\S]*?(?=## 2026-05-01T11)/, ''))
  expect(withoutEntries(FILE, () => true)).toBe('')
})
