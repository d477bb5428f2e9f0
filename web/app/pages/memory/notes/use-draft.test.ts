import { expect, test } from 'vitest'
import { readDraft } from './use-draft.ts'

test('a draft is read as it was kept, and anything else is none', () => {
  expect(readDraft('{"text":"x","hash":"y"}')).toEqual({ text: 'x', hash: 'y' })
  for (const broken of [null, '', '{', '7', '{"text":1}']) expect(readDraft(broken)).toBeUndefined()
})
