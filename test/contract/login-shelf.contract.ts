import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ServerLogin } from '../../src/team/domain/server-login.ts'
import type { CredentialStore, ShelfPlace } from '../../src/team/ports/credential-store.ts'

const [ONE, TWO] = ['https://one.example.com', 'https://two.example.com'] as const
const SINCE = '2026-11-01T10:00:00.000Z'
export const GIVEN: ServerLogin = {
  kind: 'given',
  access: 'ken_access_first',
  accessUntil: '2026-11-01T11:00:00.000Z',
  refresh: 'ken_refresh_first',
  since: SINCE,
}
const PERSONAL: ServerLogin = { kind: 'personal', token: 'ken_p_secret', since: SINCE }

export function describeLoginShelf(name: string, open: (home: string) => CredentialStore, place: ShelfPlace): void {
  describe(`login shelf: ${name}`, () => {
    let home: string
    let shelf: CredentialStore
    beforeEach(() => {
      home = realpathSync(mkdtempSync(join(tmpdir(), 'ken-shelf-')))
      shelf = open(home)
    })
    afterEach(() => rmSync(home, { recursive: true, force: true }))

    test('a login is returned as stored, including to another instance, and the last one wins', async () => {
      expect(await shelf.get(ONE)).toBeUndefined()
      expect(await shelf.put(ONE, PERSONAL)).toBe(place)
      expect(await open(home).get(ONE)).toEqual(PERSONAL)
      await shelf.put(ONE, GIVEN)
      expect(await open(home).get(ONE)).toEqual(GIVEN)
      const once = { ...GIVEN, refresh: undefined }
      await shelf.put(ONE, once)
      expect(await open(home).get(ONE)).toEqual(once)
    })

    test('servers are separate, and listed without a secret', async () => {
      await shelf.put(TWO, PERSONAL)
      await shelf.put(ONE, GIVEN)
      const listed = await open(home).list()
      expect(listed).toEqual([
        { server: ONE, kind: 'given', place, since: SINCE },
        { server: TWO, kind: 'personal', place, since: SINCE },
      ])
      expect(await shelf.remove(ONE)).toBe(true)
      expect(await shelf.remove(ONE)).toBe(false)
      expect([await shelf.get(ONE), await shelf.get(TWO)]).toEqual([undefined, PERSONAL])
      expect((await shelf.list()).map(({ server }) => server)).toEqual([TWO])
    })

    test('one server is locked by one holder at a time, and a failure releases it', async () => {
      const [mine, other] = [shelf, open(home)]
      let inside = 0
      let most = 0
      const work = async (): Promise<void> => {
        most = Math.max(most, ++inside)
        await new Promise((done) => setImmediate(done))
        inside--
      }
      await Promise.all([mine, other, mine, other].map((one) => one.alone(ONE, work)))
      expect(most).toBe(1)
      await expect(mine.alone(ONE, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
      expect(await other.alone(ONE, async () => 'in')).toBe('in')
    })

    test('two servers do not block each other', async () => {
      expect(await shelf.alone(ONE, () => shelf.alone(TWO, async () => 'both'))).toBe('both')
    })
  })
}
