import { expect, test } from 'vitest'
import { AppError } from '../../kernel/domain/errors.ts'
import { serverOrigin } from './server-address.ts'

test('a server is identified by its origin, however the origin is written', () => {
  expect(serverOrigin('https://ken.example.com')).toBe('https://ken.example.com')
  expect(serverOrigin(' HTTPS://Ken.Example.com:443/mcp ')).toBe('https://ken.example.com')
  expect(serverOrigin('ken.example.com:8443')).toBe('https://ken.example.com:8443')
  expect(serverOrigin('http://127.0.0.1:4872/')).toBe('http://127.0.0.1:4872')
  expect(serverOrigin('http://[::1]:4872')).toBe('http://[::1]:4872')
})

test.each([
  '',
  'http://ken.example.com',
  'http://127.0.0.1.example.com',
  'http://0.0.0.0:4872',
  'https://me:secret@ken.example.com',
  'https://ken.example.com/team',
  'https://ken.example.com/?token=secret',
  'https://ken.example.com/#secret',
  'ftp://ken.example.com',
  'javascript:secret',
  'file:///etc/secret',
  'https://',
  `https://${'a'.repeat(300)}.example.com`,
])('an address unfit for a token is refused and not repeated in the error: %s', (written) => {
  expect(() => serverOrigin(written)).toThrow(AppError)
  expect(() => serverOrigin(written)).not.toThrow(/secret/)
})
