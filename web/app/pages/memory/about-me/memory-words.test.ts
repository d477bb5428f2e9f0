import { expect, test } from 'vitest'
import { isOwnWord, saidDiffers, sourceWords } from './memory-words.ts'

test('typed memories are the person’s words; memories from a chat or a session are not', () => {
  expect(isOwnWord({ source: 'cli' })).toBe(true)
  expect(isOwnWord({ source: 'app' })).toBe(true)
  expect(isOwnWord({ source: 'app', chat: 'c1' })).toBe(false)
  expect(isOwnWord({ source: 'claude-code' })).toBe(false)
  expect(isOwnWord({})).toBe(false)
})

test('evidence equal to the memory is not shown twice', () => {
  expect(saidDiffers({ words: 'show amounts  in euros', content: 'Show amounts in euros.' })).toBe(false)
  expect(saidDiffers({ words: 'euros please', content: 'Show amounts in euros.' })).toBe(true)
})

test('a source is named in words', () => {
  expect(sourceWords('cli')).toBe('at a terminal')
  expect(sourceWords('app')).toBe('in the app')
  expect(sourceWords('claude-code')).toBe('from Claude Code')
})
