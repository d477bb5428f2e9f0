import { beforeAll, describe, expect, test } from 'vitest'
import type { Invitation, Person } from '../../src/team/domain/person.ts'
import { anAdmin, aPerson, aProject, at, id, type TeamPorts } from './team-subject.ts'

/** Must be the first suite on a back end: its first test needs one without people. */
export function describePeople(name: string, open: () => Promise<TeamPorts>): void {
  describe(`people: ${name}`, () => {
    let team: TeamPorts
    beforeAll(async () => {
      team = await open()
    })
    const invitation = (admin: Person, email: string, more: Partial<Invitation> = {}): Invitation => ({
      id: id(),
      organisation: admin.organisation,
      email,
      role: 'member',
      invitedBy: admin.id,
      createdAt: at(0),
      expiresAt: at(60),
      ...more,
    })
    const someAddress = () => `${id().toLowerCase()}@example.com`

    test('only one of many concurrent founders of the first organisation succeeds', async () => {
      expect(await team.people.isEmpty()).toBe(true)
      const tries = await Promise.allSettled(
        Array.from({ length: 5 }, async () => {
          const [organisation, person] = [id(), id()]
          const admin = {
            id: person,
            organisation,
            email: 'first@example.com',
            name: 'First',
            role: 'admin' as const,
            createdAt: at(0),
            leftAt: undefined,
          }
          await team.people.found({ id: organisation, name: 'First', createdAt: at(0) }, admin, { first: true })
          return admin
        }),
      )
      const done = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(done).toHaveLength(1)
      expect(tries.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))).toEqual(
        Array.from({ length: 4 }, () => 'conflict'),
      )
      expect(await team.people.isEmpty()).toBe(false)
      expect(await team.people.withAddress('first@example.com')).toEqual(done)
      const { organisation } = done[0]!
      expect(await team.people.organisations([id(), organisation])).toEqual([
        { id: organisation, name: 'First', createdAt: at(0) },
      ])
      expect(await team.people.organisations()).toEqual(await team.people.organisations([organisation]))
    })

    test('proving an invited address admits the person with the invited role, once', async () => {
      const admin = await anAdmin(team)
      const email = someAddress()
      const invited = invitation(admin, email)
      await team.invitations.invite(invited)
      expect(await team.invitations.list(admin.organisation, at(1))).toEqual([invited])
      expect(await team.invitations.standingFor(email, at(1))).toEqual([invited])
      const people = await team.invitations.accept({ email, name: 'New', at: at(1) })
      const person = {
        id: invited.id,
        organisation: admin.organisation,
        email,
        name: 'New',
        role: 'member',
        createdAt: at(1),
        leftAt: undefined,
      }
      expect(people).toEqual([person])
      expect(await team.people.find(invited.id)).toEqual(person)
      expect(await team.invitations.list(admin.organisation, at(1))).toEqual([])
      expect(await team.invitations.accept({ email, name: 'Again', at: at(2) })).toEqual([person])
    })

    test('an expired, withdrawn or replaced invitation admits no one', async () => {
      const admin = await anAdmin(team)
      const [late, withdrawn, twice] = [someAddress(), someAddress(), someAddress()]
      await team.invitations.invite(invitation(admin, late, { expiresAt: at(5) }))
      const one = invitation(admin, withdrawn)
      await team.invitations.invite(one)
      await team.invitations.withdraw((await anAdmin(team)).organisation, one.id)
      expect(await team.invitations.standingFor(withdrawn, at(1))).toEqual([one])
      await team.invitations.withdraw(admin.organisation, one.id)
      await team.invitations.invite(invitation(admin, twice, { role: 'admin' }))
      await team.invitations.invite(invitation(admin, twice, { role: 'viewer' }))
      expect(await team.invitations.standingFor(late, at(5))).toEqual([])
      expect(await team.invitations.accept({ email: late, name: 'Late', at: at(5) })).toEqual([])
      expect(await team.invitations.accept({ email: withdrawn, name: 'None', at: at(5) })).toEqual([])
      const [person] = await team.invitations.accept({ email: twice, name: 'Twice', at: at(5) })
      expect(person?.role).toBe('viewer')
      expect(await team.people.list(admin.organisation)).toHaveLength(2)
    })

    test('an address belongs to one person per organisation', async () => {
      const [here, there] = [await anAdmin(team), await anAdmin(team)]
      await expect(team.invitations.invite(invitation(here, here.email))).rejects.toMatchObject({ code: 'conflict' })
      await team.invitations.invite(invitation(there, here.email, { role: 'viewer' }))
      const elsewhere = invitation(await anAdmin(team), here.email)
      await team.invitations.invite(elsewhere)
      const [standing] = await team.invitations.standingFor(here.email, at(1))
      const accepted = { email: here.email, name: 'Both', at: at(1), only: standing!.id }
      const both = await team.invitations.accept(accepted)
      expect(await team.invitations.standingFor(here.email, at(1))).toEqual([elsewhere])
      expect(await team.invitations.accept({ ...accepted, only: id() })).toEqual(both)
      expect(both.map(({ organisation, role }) => [organisation, role])).toEqual([
        [here.organisation, 'admin'],
        [there.organisation, 'viewer'],
      ])
    })

    test('a person is changed within their organisation, which always keeps an admin', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const member = await aPerson(team, admin.organisation, 'member')
      const { change, leave } = team.people
      await expect(change(stranger.organisation, member.id, { role: 'admin' })).rejects.toMatchObject({
        code: 'not_found',
      })
      await expect(change(admin.organisation, admin.id, { role: 'viewer' })).rejects.toMatchObject({ code: 'conflict' })
      await expect(leave(admin.organisation, admin.id, at(1))).rejects.toMatchObject({ code: 'conflict' })
      expect(await change(admin.organisation, member.id, { role: 'admin', name: 'Boss' })).toEqual({
        ...member,
        role: 'admin',
        name: 'Boss',
      })
      const both = await Promise.allSettled([
        change(admin.organisation, admin.id, { role: 'member' }),
        change(admin.organisation, member.id, { role: 'member' }),
      ])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })

    test('the invitations of a former admin are void', async () => {
      const admin = await anAdmin(team)
      const other = await aPerson(team, admin.organisation, 'admin')
      const [theirs, own] = [invitation(other, someAddress(), { role: 'admin' }), invitation(admin, someAddress())]
      for (const one of [theirs, own]) await team.invitations.invite(one)
      await team.people.change(admin.organisation, other.id, { name: 'Other' })
      expect(await team.invitations.list(admin.organisation, at(1))).toHaveLength(2)
      await team.people.change(admin.organisation, other.id, { role: 'member' })
      expect(await team.invitations.list(admin.organisation, at(1))).toEqual([own])
    })

    test('a person who left keeps their name and immediately loses everything else', async () => {
      const admin = await anAdmin(team)
      const member = await aPerson(team, admin.organisation, 'member')
      const project = await aProject(team, member, 'members')
      const token = {
        id: id(),
        person: member.id,
        kind: 'personal' as const,
        name: 't',
        scopes: ['read' as const],
        projects: undefined,
        createdAt: at(0),
        expiresAt: at(60),
        usedAt: undefined,
        revokedAt: undefined,
      }
      await team.tokens.add(token, token.id)
      await team.sessions.open(
        {
          id: id(),
          person: member.id,
          browser: undefined,
          proof: 'code',
          enteredAt: at(0),
          usedAt: at(0),
          endsAt: at(60),
        },
        member.id,
      )
      const key = { id: id(), person: member.id, name: 'k', publicKey: new Uint8Array([1]), counter: 0 }
      await team.passkeys.add({ ...key, transports: [], createdAt: at(0), usedAt: undefined })
      const [now, later] = [new Date(at(0)), new Date(at(60))]
      await team.authorizations.offerCode(
        {
          id: id(),
          person: member.id,
          client: 'c',
          clientName: 'Client',
          resource: 'https://ken.example.com/mcp',
          scopes: ['read'],
          projects: [],
          isLasting: false,
          createdAt: now,
          endsAt: later,
        },
        { hash: id(), challenge: 'c', redirectUri: 'http://127.0.0.1/', expiresAt: later },
      )
      expect(await team.authorizations.list(member.id, now)).toHaveLength(1)
      await team.invitations.invite(invitation(member, someAddress()))
      await team.people.leave(admin.organisation, member.id, at(2))
      expect(await team.people.find(member.id)).toEqual({ ...member, leftAt: at(2) })
      expect(await team.people.withAddress(member.email)).toEqual([])
      expect(await team.tokens.use(token.id, at(3))).toBeUndefined()
      expect(await team.sessions.use(member.id, { now: at(3), idleSince: at(0) })).toBeUndefined()
      expect(await team.passkeys.find(key.id)).toBeUndefined()
      expect(await team.authorizations.list(member.id, now)).toEqual([])
      expect(await team.projects.standing(member.id, project.id)).toBeUndefined()
      expect(await team.projects.list(member.id)).toEqual([])
      expect(await team.invitations.list(admin.organisation, at(3))).toEqual([])
      await expect(team.tokens.add({ ...token, id: id() }, id())).rejects.toMatchObject({ code: 'not_found' })
      await expect(team.people.change(admin.organisation, member.id, { role: 'admin' })).rejects.toMatchObject({
        code: 'not_found',
      })
    })

    test('a person who is invited again keeps their id, but none of their former access', async () => {
      const admin = await anAdmin(team)
      const member = await aPerson(team, admin.organisation, 'admin')
      const project = await aProject(team, member, 'members')
      await team.people.leave(admin.organisation, member.id, at(2))
      await team.invitations.invite(invitation(admin, member.email, { role: 'viewer' }))
      expect(await team.invitations.accept({ email: member.email, name: 'Other', at: at(3) })).toEqual([
        { ...member, role: 'viewer' },
      ])
      expect(await team.projects.standing(member.id, project.id)).toBeUndefined()
    })
  })
}
