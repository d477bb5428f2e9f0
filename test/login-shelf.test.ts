import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../src/kernel/domain/errors.ts'
import { openLease } from '../src/kernel/lease/sqlite/index.ts'
import type { Keychain } from '../src/kernel/ports/keychain.ts'
import { openCredentialStore } from '../src/team/credential-store/index.ts'
import { describeLoginShelf, GIVEN } from './contract/login-shelf.contract.ts'
import { openMemoryKeychain } from './memory-keychain.ts'

const refused = (): Promise<never> => Promise.reject(new AppError('unavailable', 'This machine has no keychain.'))
/** As on a machine without a keychain, or with a locked one. */
const LOCKED: Keychain = { get: refused, set: refused, remove: refused }
const SERVER = 'https://ken.example.com'

const keychains = new Map<string, Map<string, string>>()
const keychainOf = (home: string): Map<string, string> => {
  const kept = keychains.get(home) ?? new Map<string, string>()
  keychains.set(home, kept)
  return kept
}
const inKeychain = (home: string) =>
  openCredentialStore({ home, keychain: openMemoryKeychain(keychainOf(home)), openLease })
const inFile = (home: string) => openCredentialStore({ home, keychain: LOCKED, openLease })

describeLoginShelf('in a keychain', inKeychain, 'keychain')
describeLoginShelf('in a file', inFile, 'file')

let home: string
beforeEach(() => void (home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-shelf-')))))
afterEach(() => rmSync(home, { recursive: true, force: true }))
const file = (): string => readFileSync(join(home, 'logins.json'), 'utf8')

test('keychain contents do not occur in any file', async () => {
  await inKeychain(home).put(SERVER, GIVEN)
  expect(file()).toContain(SERVER)
  expect(file()).not.toMatch(/ken_access|ken_refresh/)
  expect([...keychainOf(home).values()].join()).toContain('ken_refresh_first')
})

test.skipIf(process.platform === 'win32')('the file is for the eyes of the user alone', async () => {
  await inFile(home).put(SERVER, GIVEN)
  expect(statSync(join(home, 'logins.json')).mode & 0o777).toBe(0o600)
})

test('a login that moves to the keychain is removed from the file', async () => {
  await inFile(home).put(SERVER, GIVEN)
  expect(file()).toContain('ken_refresh_first')
  await inKeychain(home).put(SERVER, GIVEN)
  expect(file()).not.toContain('ken_refresh_first')
})

test('a locked keychain is reported, and not treated as logged out', async () => {
  await inKeychain(home).put(SERVER, GIVEN)
  await expect(inFile(home).get(SERVER)).rejects.toMatchObject({ code: 'unavailable' })
})

test('an invalid file is reported without its content', async () => {
  writeFileSync(join(home, 'logins.json'), '{"logins":{"x":"ken_refresh_first"}}')
  const failure = await inFile(home)
    .get(SERVER)
    .catch((error: unknown) => error as AppError)
  expect(failure).toMatchObject({ code: 'damaged' })
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('ken_refresh_first')
})
