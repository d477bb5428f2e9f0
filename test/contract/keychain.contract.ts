import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Keychain } from '../../src/kernel/ports/keychain.ts'

export function describeKeychain(name: string, open: () => Keychain): void {
  describe(`keychain: ${name}`, () => {
    let keychain: Keychain
    beforeEach(() => void (keychain = open()))
    afterEach(async () => {
      for (const one of ['one', 'two']) await keychain.remove(one)
    })

    test('a stored value is returned, including to another instance, and the last one wins', async () => {
      await keychain.set('one', 'first')
      await keychain.set('one', 'sécret "$(x)" 2')
      expect(await keychain.get('one')).toBe('sécret "$(x)" 2')
      expect(await open().get('one')).toBe('sécret "$(x)" 2')
    })

    test('names are separate, and an unknown one returns nothing', async () => {
      await keychain.set('one', 'first')
      expect(await keychain.get('two')).toBeUndefined()
      expect(await keychain.remove('two')).toBe(false)
      expect(await keychain.get('one')).toBe('first')
    })

    test('a removed value is gone', async () => {
      await keychain.set('one', 'first')
      expect(await keychain.remove('one')).toBe(true)
      expect(await keychain.get('one')).toBeUndefined()
      expect(await keychain.remove('one')).toBe(false)
    })
  })
}
