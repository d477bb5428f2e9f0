import { expect, test } from 'vitest'
import { withoutMemory } from './recent-places.ts'

test('forgetting an item removes all memory pages from the recent places', () => {
  const place = (href: string) => ({ href, title: href })
  const all = [
    '/p/memory',
    '/p/memory?q=secret',
    '/p/memory/doc/1f3c#x',
    '/folder%3A%2Fa/memory/notes',
    '/p/decisions/3',
    '/memory/ask',
  ]
  expect(withoutMemory(all.map(place))).toEqual([place('/p/decisions/3'), place('/memory/ask')])
})
