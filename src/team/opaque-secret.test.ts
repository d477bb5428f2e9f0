import { expect, test } from 'vitest'
import { opaqueSecret } from './opaque-secret.ts'

const secretOf = (change: (index: number) => number): string =>
  opaqueSecret({ bytes: (length) => Uint8Array.from({ length }, (_, index) => change(index)) })

test('a secret is its 32 random bytes in base64url, without padding', () => {
  expect(secretOf((index) => index)).toBe('AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8')
  expect(secretOf((index) => 255 - index)).toBe('__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA')
})

test('changing any byte, even slightly, changes the secret', () => {
  for (let at = 0; at < 32; at += 1)
    expect(
      new Set(Array.from({ length: 256 }, (_, value) => secretOf((index) => (index === at ? value : 0)))).size,
    ).toBe(256)
})
