import { expect, test } from 'vitest'
import { tracesOf } from './traces.ts'

test('traces are pieces of the longest lines and long words, never lines Ken writes itself', () => {
  const { phrases, words } = tracesOf(
    '---\nsession: "abcdefghijklmnopqrstuvwxyz"\n---\n\n## User\n> at: 2026-09-14T11:00:01.000Z\n\nWhere do Zebrafinches keep their counters?\nok\n',
  )
  expect(phrases).toEqual(['Where do Zebrafinches keep their counters?'])
  expect(words).toContainEqual({ word: 'Zebrafinches', term: 'zebrafinch' })
})

test('splits a long line between words, and one without words between characters', () => {
  expect(tracesOf(`${'word '.repeat(40)}end`).phrases[0]).toMatch(/^(?:word )+word$/)
  expect(tracesOf(`x${'\u{1f600}'.repeat(60)}`).phrases[0]!.isWellFormed()).toBe(true)
})
