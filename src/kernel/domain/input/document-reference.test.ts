import { expect, test } from 'vitest'
import { readReference } from './document-reference.ts'

test.each([
  ['docs/a.md', { id: 'docs/a.md' }],
  ['docs/a.md:12-40', { id: 'docs/a.md', from: 12, lines: 29 }],
  ['docs/a.md:12-40 of 80', { id: 'docs/a.md', from: 12, lines: 29 }],
  ['docs/a.md:12', { id: 'docs/a.md', from: 12 }],
  ['docs/a.md#L3-L9', { id: 'docs/a.md', from: 3, lines: 7 }],
  ['docs/a.md:40-12', { id: 'docs/a.md', from: 40, lines: 1 }],
  ['C:\\notes\\a.md:1-2', { id: 'C:\\notes\\a.md', from: 1, lines: 2 }],
  ['#1f3c9a02b7aa', { id: '1f3c9a02b7aa' }],
  ['`1F3C9A02B7AA`', { id: '1f3c9a02b7aa' }],
  ['1f3c9a02b7aa:4-5', { id: '1f3c9a02b7aa', from: 4, lines: 2 }],
])('%s', (text, meant) => expect(readReference(text)).toEqual(meant))
