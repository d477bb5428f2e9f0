import { expect, test } from 'vitest'
import { sourceOfAddress } from './source-of-address.ts'

test('an IPv4 address is one source in any notation', () => {
  expect(sourceOfAddress('192.0.2.7')).toBe('192.0.2.7')
  expect(sourceOfAddress('::ffff:192.0.2.7')).toBe('192.0.2.7')
})

test('all addresses of one IPv6 network are one source', () => {
  const source = '2001:db8:1:2::/64'
  expect(sourceOfAddress('2001:db8:1:2:a:b:c:d')).toBe(source)
  expect(sourceOfAddress('2001:0DB8:0001:0002::7')).toBe(source)
  expect(sourceOfAddress('2001:db8:1:2::')).toBe(source)
  expect(sourceOfAddress('2001:db8:1:3::7')).not.toBe(source)
  expect(sourceOfAddress('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(sourceOfAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
  expect(sourceOfAddress('::1')).toBe('0:0:0:0::/64')
})

test('text that is not an address is its own source', () => {
  expect(sourceOfAddress('')).toBe('')
})
