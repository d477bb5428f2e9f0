import { expect, test } from 'vitest'
import { isAbbreviation, openIdentifierWords, piecesOf, singular } from './identifier-words.ts'

test('splits a name at signs, case changes and digits', () => {
  expect(piecesOf('FCLT_BUILDING_KEY')).toEqual(['fclt', 'building', 'key'])
  expect(piecesOf('customerId2')).toEqual(['customer', 'id', '2'])
  expect(piecesOf('größe-in cm')).toEqual(['größe', 'in', 'cm'])
})

test('splits run-together words by other names of the database, or by known words', () => {
  const words = openIdentifierWords(
    ['security_groups', 'port_bindings', 'securitygroupportbindings', 'floatingips'],
    (word) => ['floating', 'ips'].includes(word),
  )
  expect(words.of('securitygroupportbindings')).toEqual(['security', 'group', 'port', 'bindings'])
  expect(words.of('floatingips')).toEqual(['floatingips'])
  const known = openIdentifierWords(
    ['floating_ip', 'fixed_ip', 'ip_pool', 'floatingips'],
    (word) => word === 'floating',
  )
  expect(known.of('floatingips')).toEqual(['floating', 'ips'])
})

test('keeps a known word whole', () => {
  const words = openIdentifierWords(['in_stances', 'stances'], (word) => word === 'instances')
  expect(words.of('instances')).toEqual(['instances'])
})

test('truncates a very long run of letters before splitting it', () => {
  const words = openIdentifierWords(['a_b', 'ab_ba'], () => false)
  expect(words.of('ab'.repeat(5_000)).join('').length).toBeLessThan(300)
})

test.each([
  ['dept', 'department'],
  ['bldg', 'building'],
  ['cust', 'customer'],
  ['matrl', 'material'],
])('%s abbreviates %s', (short, word) => expect(isAbbreviation(short, word)).toBe(true))

test.each([
  ['id', 'identity'],
  ['date', 'department'],
  ['order', 'order'],
  ['cat', 'chart'],
])('%s does not abbreviate %s', (short, word) => expect(isAbbreviation(short, word)).toBe(false))

test.each([
  ['categories', 'category'],
  ['addresses', 'address'],
  ['boxes', 'box'],
  ['status', 'status'],
  ['orders', 'order'],
  ['analysis', 'analysis'],
])('the singular of %s is %s', (plural, one) => expect(singular(plural)).toBe(one))
