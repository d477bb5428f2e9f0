import { expect, test } from 'vitest'
import { withoutMemory } from './recent-places.ts'

test('after something is forgotten no memory page stays among the recent places', () => {
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
