import { expect, test } from 'vitest'
import { chosenOf, facetsOf } from './facets.ts'

const counts = {
  origin: [
    { value: 'note', count: 9 },
    { value: 'session', count: 4 },
  ],
  workspace: [{ value: '01J', count: 3, name: 'shop' }],
  collection: [],
  tags: [{ value: 'zoo', count: 1 }],
  since: [{ value: '7d', count: 2 }],
  trust: [],
  counted: 13,
  cut: false,
}
const facet = (name: string, search = {}) => facetsOf(counts, search).find((one) => one.name === name)!

test('values have readable names, in an order that does not depend on the counts', () => {
  expect(facet('origin').values.map(({ value }) => value)).toEqual(['session', 'note'])
  expect(facet('workspace').values.map(({ label }) => label)).toEqual(['All workspaces', 'shop'])
  expect(facet('from').values).toEqual([{ value: '7d', label: 'The last week', count: 2 }])
})

test('a selected value stays listed even without any hits', () => {
  expect(facet('tags', { tags: ['gone'] }).values.map(({ value }) => value)).toEqual(['zoo', 'gone'])
})

test('selecting a value clears the preview; deselecting the last value removes the facet', () => {
  const search = { q: 'x', tags: ['zoo'], at: 'a' }
  expect(facet('origin', search).apply(['note'])).toEqual({ q: 'x', tags: ['zoo'], origin: ['note'] })
  expect(facet('tags', search).apply([])).toEqual({ q: 'x' })
  expect(facet('workspace', search).apply(['all'])).toEqual({ q: 'x', tags: ['zoo'], workspace: 'all' })
  expect(chosenOf({ workspace: 'all' }, 'workspace')).toEqual(['all'])
})
