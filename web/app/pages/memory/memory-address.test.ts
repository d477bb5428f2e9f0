import { expect, test } from 'vitest'
import { askedFor, isNarrowed, readMemorySearch, readPlace, unnarrowed } from './memory-address.ts'

test('any URL is parsed, and invalid parts are left out', () => {
  const search = readMemorySearch({
    q: 42,
    origin: 'session',
    tags: ['a', '', 7],
    trust: ['mine'],
    mode: 'loud',
    at: {},
  })
  expect(search).toEqual({ q: '42', origin: ['session'], tags: ['a', '7'] })
  expect(readMemorySearch({ q: ' ', origin: [], collection: undefined })).toEqual({})
})

test('filters are sent with a search, and can be removed', () => {
  const search = readMemorySearch({ q: 'pears', from: '7d', trust: 'learned', workspace: 'all', at: 'x' })
  expect(askedFor(search)).toEqual({ query: 'pears', mode: 'both', since: '7d', trust: ['learned'], workspace: 'all' })
  expect([isNarrowed(search), isNarrowed(unnarrowed(search))]).toEqual([true, false])
})

test('the newest documents, shown without a query, exclude code unless it is requested', () => {
  expect(askedFor({}).origin).not.toContain('code')
  expect(askedFor({ origin: ['code'] }).origin).toEqual(['code'])
})

test('a place is parsed into an id and an optional line', () => {
  expect(readPlace('1f3c9a02b7aa:12')).toEqual({ id: '1f3c9a02b7aa', line: 12 })
  expect(readPlace('1f3c9a02b7aa')).toEqual({ id: '1f3c9a02b7aa', line: undefined })
})
