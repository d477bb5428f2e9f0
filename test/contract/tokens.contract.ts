import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../src/team/domain/person.ts'
import type { Token } from '../../src/team/domain/token.ts'
import { MOST_TOKENS } from '../../src/team/ports/tokens.ts'
import { anAdmin, aPerson, aProject, at, id, type TeamPorts } from './team-subject.ts'

export function describeTokens(name: string, open: () => Promise<TeamPorts>): void {
  describe(`tokens: ${name}`, () => {
    let team: TeamPorts
    beforeAll(async () => {
      team = await open()
    })
    const token = (person: Person, more: Partial<Token> = {}): Token => ({
      id: id(),
      person: person.id,
      kind: 'personal',
      name: 'laptop',
      scopes: ['read', 'write'],
      projects: undefined,
      createdAt: at(0),
      expiresAt: at(60),
      usedAt: undefined,
      revokedAt: undefined,
      ...more,
    })

    test('a token is found by its hash, returns its holder, and records its use to the minute', async () => {
      const admin = await anAdmin(team)
      const project = await aProject(team, admin)
      const made = token(admin, { kind: 'agent', scopes: ['read'], projects: [project.id] })
      const hash = id()
      await team.tokens.add(made, hash)
      const holder = {
        id: made.id,
        person: admin.id,
        kind: 'agent',
        scopes: ['read'],
        projects: [project.id],
        organisation: admin.organisation,
        role: 'admin',
        seen: [{ id: project.id, organisation: admin.organisation, name: project.name, role: 'admin' }],
      }
      expect(await team.tokens.use(hash, at(1))).toEqual(holder)
      expect(await team.tokens.list(admin.id)).toEqual([{ ...made, usedAt: at(1) }])
      await team.tokens.use(hash, new Date(Date.parse(at(1)) + 59_000).toISOString())
      expect(await team.tokens.list(admin.id)).toEqual([{ ...made, usedAt: at(1) }])
      await team.tokens.use(hash, at(2))
      expect(await team.tokens.list(admin.id)).toEqual([{ ...made, usedAt: at(2) }])
      expect(JSON.stringify(await team.tokens.list(admin.id))).not.toContain(hash)
    })

    test('a token has the current role of its person', async () => {
      const admin = await anAdmin(team)
      const member = await aPerson(team, admin.organisation, 'member')
      const hash = id()
      await team.tokens.add(token(member), hash)
      await team.people.change(admin.organisation, member.id, { role: 'viewer' })
      expect(await team.tokens.use(hash, at(2))).toMatchObject({ role: 'viewer' })
    })

    test('a token that is used again has the projects of that moment', async () => {
      const admin = await anAdmin(team)
      const member = await aPerson(team, admin.organisation, 'member')
      const [hash, other] = [id(), id()]
      await team.tokens.add(token(member), hash)
      await team.tokens.add(token(admin), other)
      const seen = async () => (await team.tokens.use(hash, at(1)))!.seen.map(({ name, role }) => `${name}: ${role}`)
      expect([await seen(), await seen()]).toEqual([[], []])
      const project = await aProject(team, admin)
      const { name } = project
      const change = (what: Parameters<TeamPorts['projects']['change']>[2]) =>
        team.projects.change(admin.organisation, project.id, what)
      expect(await seen()).toEqual([`${name}: member`])
      await team.projects.setMember(project.id, member.id, 'admin')
      expect(await seen()).toEqual([`${name}: admin`])
      await change({ access: 'members' })
      await team.projects.setMember(project.id, member.id, undefined)
      expect(await seen()).toEqual([])
      await change({ access: 'organisation', name: 'renamed' })
      expect(await seen()).toEqual(['renamed: member'])
      await team.people.change(admin.organisation, member.id, { role: 'viewer' })
      expect([await seen(), await seen()]).toEqual([['renamed: viewer'], ['renamed: viewer']])
      await change({ archivedAt: at(2) })
      expect([await seen(), (await team.tokens.use(other, at(1)))!.seen]).toEqual([[], []])
      await change({ archivedAt: null })
      expect(await seen()).toEqual(['renamed: viewer'])
    })

    test('an unknown, expired or revoked token grants nothing', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const [short, revoked, hash, other] = [token(admin, { expiresAt: at(5) }), token(admin), id(), id()]
      await team.tokens.add(short, hash)
      await team.tokens.add(revoked, other)
      expect(await team.tokens.use(id(), at(1))).toBeUndefined()
      expect(await team.tokens.use(hash, at(5))).toBeUndefined()
      await team.tokens.revoke(stranger.id, [revoked.id], at(1))
      expect(await team.tokens.use(other, at(1))).toBeDefined()
      await team.tokens.revoke(admin.id, [revoked.id, id()], at(2))
      await team.tokens.revoke(admin.id, [revoked.id], at(3))
      expect(await team.tokens.use(other, at(3))).toBeUndefined()
      expect((await team.tokens.list(admin.id)).find((one) => one.id === revoked.id)?.revokedAt).toBe(at(2))
      expect(await team.tokens.list(stranger.id)).toEqual([])
    })

    test('a token is limited to projects that its owner may see', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const member = await aPerson(team, admin.organisation, 'member')
      const [own, hidden, foreign] = [
        await aProject(team, member),
        await aProject(team, admin, 'members'),
        await aProject(team, stranger),
      ]
      const add = (projects: string[]) => team.tokens.add(token(member, { projects }), id())
      for (const project of [hidden.id, foreign.id, id()])
        await expect(add([own.id, project])).rejects.toMatchObject({
          code: 'not_found',
          message: 'Project not found.',
        })
      await add([own.id, own.id])
      expect((await team.tokens.list(member.id)).map(({ projects }) => projects)).toEqual([[own.id]])
    })

    test('the number of tokens per person is limited', async () => {
      const admin = await anAdmin(team)
      for (let count = 0; count < MOST_TOKENS - 1; count++) await team.tokens.add(token(admin), id())
      const both = await Promise.allSettled([team.tokens.add(token(admin), id()), team.tokens.add(token(admin), id())])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })
  })
}
