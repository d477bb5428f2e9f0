import { expect, test } from 'vitest'
import { isRegisteredRedirect, redirectHost, redirectKind } from './redirect-uri.ts'

test.each([
  ['http://127.0.0.1/callback', 'loopback'],
  ['http://127.0.0.1', 'loopback'],
  ['http://127.0.0.1:33418/', 'loopback'],
  ['http://localhost:8080/a/b?c=d', 'loopback'],
  ['http://[::1]:1/cb', 'loopback'],
  ['https://app.example.com/cb', 'web'],
  ['https://app.example.com:8443/cb?tenant=a%20b', 'web'],
  ['https://xn--bcher-kva.example/cb', 'web'],
  ['com.example.app:/cb', 'app'],
  ['com.example.app://auth/cb', 'app'],
  // Claimable by any program, or executable.
  ['vscode://x/cb', undefined],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['file:///etc/passwd', undefined],
  ['com.example.app:cb', undefined],
  ['com.example.app://user@host/cb', undefined],
  // Not encrypted, or not on the public network.
  ['http://example.com/cb', undefined],
  ['https://localhost/cb', undefined],
  ['https://10.0.0.1/cb', undefined],
  ['https://intranet/cb', undefined],
  ['https://db.internal/cb', undefined],
  ['https://app.example.com./cb', undefined],
  ['https://[::1]/cb', undefined],
  ['https://*.example.com/cb', undefined],
  ['https://app.example.com/*', undefined],
  ['https://-x.example.com/cb', undefined],
  // Parsed differently by different programs.
  ['https://app.example.com/a/../cb', undefined],
  ['https://app.example.com/./cb', undefined],
  ['https://app.example.com/a/%2e%2E/cb', undefined],
  ['https://app.example.com/..', undefined],
  ['https://app.example.com/a%2Fcb', undefined],
  ['https://app.example.com/a%5ccb', undefined],
  ['https://app.example.com/cb%00', undefined],
  ['https://app.example.com/cb%0d%0ax:y', undefined],
  ['https://app.example.com/cb%zz', undefined],
  ['https://app.example.com/cb%', undefined],
  ['https://app.example.com/cb#x', undefined],
  ['https://user:word@app.example.com/cb', undefined],
  ['https://app.example.com\\@evil.example/cb', undefined],
  [`https://app.example.com/${'x'.repeat(500)}`, undefined],
])('%s has the redirect kind %s', (uri, kind) => expect(redirectKind(uri)).toBe(kind))

test('only a native client on the loopback address may use another port', () => {
  const uris = ['http://127.0.0.1:1/cb', 'https://app.example.com/cb']
  expect(isRegisteredRedirect('http://127.0.0.1:2/cb', { redirectUris: uris, isNative: true })).toBe(true)
  expect(isRegisteredRedirect('http://127.0.0.1:2/cb', { redirectUris: uris, isNative: false })).toBe(false)
  expect(isRegisteredRedirect('https://app.example.com:2/cb', { redirectUris: uris, isNative: true })).toBe(false)
  // Even if an entry was accepted by mistake, it is never used.
  expect(isRegisteredRedirect('javascript:alert(1)', { redirectUris: ['javascript:alert(1)'], isNative: true })).toBe(
    false,
  )
})

test('a redirect target is shown by its host or the scheme of its app', () => {
  expect(['http://[::1]:9/cb', 'https://app.example.com:1/cb', 'com.example.app:/cb'].map(redirectHost)).toEqual([
    '[::1]',
    'app.example.com',
    'com.example.app',
  ])
})
