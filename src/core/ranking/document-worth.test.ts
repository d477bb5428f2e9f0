import { expect, test } from 'vitest'
import { asksAboutOneself } from './document-worth.ts'

test.each(['What did I say about it?', 'when does my first sprint end', "i'm looking for a cache", 'Remind me of it.'])(
  '%s is about the asker',
  (text) => {
    expect(asksAboutOneself(text)).toBe(true)
  },
)

test.each(['which database do we use', 'async I/O in the worker', 'MySQL or myapp', 'state of the mind map', ''])(
  '%s is about something else',
  (text) => {
    expect(asksAboutOneself(text)).toBe(false)
  },
)
