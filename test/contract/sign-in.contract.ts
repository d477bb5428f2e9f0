import { beforeAll, describe, expect, test } from 'vitest'
import type { BrowserSession } from '../../src/team/domain/browser-session.ts'
import type { Person } from '../../src/team/domain/person.ts'
import { anAdmin, at, id, type TeamPorts } from './team-subject.ts'

export function describeSignIn(name: string, open: () => Promise<TeamPorts>): void {
  describe(`signing in: ${name}`, () => {
    let team: TeamPorts
    beforeAll(async () => {
      team = await open()
    })
    const session = (person: Person, more: Partial<BrowserSession> = {}): BrowserSession => ({
      id: id(),
      person: person.id,
      browser: 'Firefox 140 on Linux',
      proof: 'code',
      enteredAt: at(0),
      usedAt: at(0),
      endsAt: at(60),
      ...more,
    })

    test('a session is found by its hash, stays valid while it is used, and still expires eventually', async () => {
      const admin = await anAdmin(team)
      const [one, hash] = [session(admin), id()]
      await team.sessions.open(one, hash)
      const use = (minute: number) => team.sessions.use(hash, { now: at(minute), idleSince: at(minute - 20) })
      expect(await use(20)).toEqual({ id: one.id, person: admin.id, organisation: admin.organisation, role: 'admin' })
      expect(await use(40)).toBeDefined()
      expect(await team.sessions.list(admin.id, { now: at(41), idleSince: at(21) })).toEqual([
        { ...one, usedAt: at(40) },
      ])
      expect(await use(59)).toBeDefined()
      expect(await use(60)).toBeUndefined()
      const idle = id()
      await team.sessions.open(session(admin), idle)
      expect(await team.sessions.use(idle, { now: at(21), idleSince: at(1) })).toBeUndefined()
      expect(await team.sessions.use(id(), { now: at(1), idleSince: at(0) })).toBeUndefined()
    })

    test('sessions can only be ended by their owner', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const all = [session(admin), session(admin), session(admin)]
      for (const one of all) await team.sessions.open(one, one.id)
      const alive = async () =>
        (await team.sessions.list(admin.id, { now: at(1), idleSince: at(0) })).map((one) => one.id).toSorted()
      await team.sessions.end(
        stranger.id,
        all.map((one) => one.id),
      )
      expect(await alive()).toHaveLength(3)
      await team.sessions.end(admin.id, [all[0]!.id])
      await team.sessions.endOthers(admin.id, all[2]!.id)
      expect(await alive()).toEqual([all[2]!.id])
      expect(await team.sessions.use(all[1]!.id, { now: at(1), idleSince: at(0) })).toBeUndefined()
    })

    test('the number per person is limited: the session idle longest is dropped', async () => {
      const admin = await anAdmin(team)
      const all = Array.from({ length: 51 }, (_, minute) => session(admin, { usedAt: at(minute), endsAt: at(600) }))
      for (const one of all) await team.sessions.open(one, one.id)
      const left = await team.sessions.list(admin.id, { now: at(51), idleSince: at(0) })
      expect(left.map((one) => one.id)).toEqual(
        all
          .slice(1)
          .map((one) => one.id)
          .toReversed(),
      )
    })

    test('concurrent tries of a code are counted, and it is spent once', async () => {
      const hash = id()
      const code = { hash, email: 'a@example.com', seal: 'sealed', expiresAt: at(10) }
      await team.codes.keep(code, at(0))
      const tries = await Promise.all(Array.from({ length: 8 }, () => team.codes.try(hash, { now: at(1), most: 5 })))
      expect(tries.filter((one) => one !== undefined)).toEqual(
        Array.from({ length: 5 }, () => ({ email: 'a@example.com', seal: 'sealed' })),
      )
      expect((await Promise.all([team.codes.spend(hash), team.codes.spend(hash)])).toSorted()).toEqual([false, true])
      await team.codes.keep({ ...code, hash: `${hash}2` }, at(0))
      expect(await team.codes.try(`${hash}2`, { now: at(10), most: 5 })).toBeUndefined()
    })

    test('attempts are counted per bucket and window, including concurrent ones', async () => {
      const [one, other] = [id(), id()]
      const count = (buckets: string[], minute: number) =>
        team.limits.count(
          buckets.map((bucket) => ({ name: bucket, most: 3 })),
          { now: at(minute), minutes: 60 },
        )
      const answers = await Promise.all(Array.from({ length: 5 }, () => count([one], 0)))
      expect(answers.filter(Boolean)).toHaveLength(3)
      expect(await count([other], 0)).toBe(true)
      expect(await count([other, one], 1)).toBe(false)
      expect(await count([one, other], 60)).toBe(true)
    })

    test('a one-time secret works once, before it expires, and for its purpose', async () => {
      const hash = id()
      await team.secrets.keep({ hash, purpose: 'setup', held: { a: [1] }, expiresAt: at(10) }, at(0))
      expect(await team.secrets.take(hash, 'other', at(1))).toBeUndefined()
      const both = await Promise.all([team.secrets.take(hash, 'setup', at(1)), team.secrets.take(hash, 'setup', at(1))])
      expect(both.filter((one) => one !== undefined)).toEqual([{ a: [1] }])
      await team.secrets.keep({ hash, purpose: 'setup', held: {}, expiresAt: at(10) }, at(0))
      expect(await team.secrets.take(hash, 'setup', at(10))).toBeUndefined()
    })

    test('a passkey belongs to one person, and a decreasing counter is detected', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const key = {
        id: id(),
        person: admin.id,
        name: 'Laptop',
        publicKey: new Uint8Array([0, 255, 7]),
        counter: 4,
        transports: ['internal'],
        createdAt: at(0),
        usedAt: undefined,
      }
      await team.passkeys.add(key)
      await expect(team.passkeys.add({ ...key, person: stranger.id })).rejects.toMatchObject({ code: 'conflict' })
      expect(await team.passkeys.find(key.id)).toEqual(key)
      expect(await team.passkeys.use(key.id, 4, at(1))).toBe(false)
      expect(await team.passkeys.use(key.id, 5, at(2))).toBe(true)
      expect(await team.passkeys.list(admin.id)).toEqual([{ ...key, counter: 5, usedAt: at(2) }])
      await team.passkeys.remove(stranger.id, key.id)
      expect(await team.passkeys.find(key.id)).toBeDefined()
      await team.passkeys.remove(admin.id, key.id)
      expect(await team.passkeys.find(key.id)).toBeUndefined()
      const uncounted = { ...key, id: id(), counter: 0 }
      await team.passkeys.add(uncounted)
      expect([
        await team.passkeys.use(uncounted.id, 0, at(1)),
        await team.passkeys.use(uncounted.id, 0, at(2)),
      ]).toEqual([true, true])
    })
  })
}
