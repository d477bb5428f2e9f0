import { describe, expect, test } from 'vitest'
import { documentLives } from './client-id-url.ts'
import { readUserCode, USER_CODE_LETTERS, userCodeOf } from './device-code.ts'
import { answersChallenge, challengeOf } from './pkce.ts'
import { audienceOf, checkResource } from './resource.ts'
import { readScopes } from './scopes.ts'

test('a challenge matches RFC 7636, appendix B', () => {
  const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
  expect(challengeOf(verifier)).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
  expect(answersChallenge(verifier, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(true)
  expect(answersChallenge(`${verifier}x`, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(false)
  // Too short to be accepted, although its hash is right.
  expect(answersChallenge('short', challengeOf('short'))).toBe(false)
})

describe('user codes', () => {
  test('all letters are equally likely, and biased bytes are skipped', () => {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    const counts = new Map<string, number>()
    for (let at = 0; at < 256; at++) {
      const code = userCodeOf(Uint8Array.of(all[at]!, 0, 0, 0, 0, 0, 0, 0))
      if (code !== undefined) counts.set(code[0]!, (counts.get(code[0]!) ?? 0) + 1)
    }
    expect([...counts.keys()].toSorted().join('')).toBe(USER_CODE_LETTERS)
    expect(new Set(counts.values())).toEqual(new Set([12]))
    expect(userCodeOf(new Uint8Array(32).fill(255))).toBeUndefined()
  })

  test('are accepted as people type them, and anything else is rejected', () => {
    expect(['bcdf-ghjk', ' BCDF GHJK ', 'BCDFGHJK'].map(readUserCode)).toEqual(['BCDFGHJK', 'BCDFGHJK', 'BCDFGHJK'])
    expect(
      ['BCDF-GHJ', 'BCDF-GHJA', 'BCDF-GHJ0', 'BCDFGHJKL', `${' '.repeat(50)}BCDFGHJK`, ''].map(readUserCode),
    ).toEqual(Array.from({ length: 6 }, () => undefined))
  })
})

describe('scopes', () => {
  test('are the requested ones, in a fixed order; all if none is requested', () => {
    expect(readScopes('write read')).toEqual(['read', 'write'])
    expect(readScopes('read offline_access')).toEqual(['read'])
    expect([readScopes(undefined), readScopes('offline_access')]).toEqual([
      ['read', 'write'],
      ['read', 'write'],
    ])
  })

  test.each(['admin', 'read admin', 'READ', 'read,write', 'constructor'])('%s is refused', (scope) =>
    expect(() => readScopes(scope)).toThrow(/scope/),
  )
})

describe('the audience', () => {
  test('is derived from the public URL, which must be an origin', () => {
    expect(audienceOf('https://ken.example.com/')).toEqual({
      issuer: 'https://ken.example.com',
      resource: 'https://ken.example.com/mcp',
    })
    for (const wrong of [
      'http://ken.example.com',
      'https://ken.example.com/path',
      'https://ken.example.com?x',
      'https://user@ken.example.com',
      'https://KEN.example.com',
      'ken.example.com',
      '',
    ])
      expect(() => audienceOf(wrong)).toThrow(/not an origin/)
  })

  test.each([
    'https://ken.example.com',
    'https://ken.example.com/mcp/',
    'https://ken.example.com/MCP',
    'https://ken.example.com.evil.example/mcp',
    'x',
  ])('%s is refused as another resource', (resource) =>
    expect(() => checkResource([resource], audienceOf('https://ken.example.com'))).toThrow(/resource/),
  )
})

test('a document is cached for at least five minutes and at most a day', () => {
  expect(
    [undefined, 'max-age=1', 'max-age=600, public', 'max-age=99999999', 'no-store', 'no-cache, max-age=9999'].map(
      documentLives,
    ),
  ).toEqual([3_600, 300, 600, 86_400, 300, 300])
})
