import { beforeAll, describe, expect, test } from 'vitest'
import { anAdmin, aPerson, aProject, at, id, type TeamPorts } from './team-subject.ts'

export function describeTeamProjects(name: string, open: () => Promise<TeamPorts>): void {
  describe(`team projects: ${name}`, () => {
    let team: TeamPorts
    beforeAll(async () => {
      team = await open()
    })
    const roleOf = async (person: { id: string }, project: { id: string }) =>
      (await team.projects.standing(person.id, project.id))?.role

    test('everyone in the organisation can access an open project with their role', async () => {
      const admin = await anAdmin(team)
      const [member, viewer] = [
        await aPerson(team, admin.organisation, 'member'),
        await aPerson(team, admin.organisation, 'viewer'),
      ]
      const project = await aProject(team, member)
      expect(await Promise.all([admin, member, viewer].map((one) => roleOf(one, project)))).toEqual([
        'admin',
        'admin',
        'viewer',
      ])
      expect(await team.projects.list(viewer.id)).toEqual([{ ...project, role: 'viewer' }])
    })

    test('a members-only project is hidden from the others', async () => {
      const admin = await anAdmin(team)
      const [member, viewer] = [
        await aPerson(team, admin.organisation, 'member'),
        await aPerson(team, admin.organisation, 'viewer'),
      ]
      const project = await aProject(team, admin, 'members')
      expect(await roleOf(member, project)).toBeUndefined()
      expect(await team.projects.list(member.id)).toEqual([])
      await team.projects.setMember(project.id, viewer.id, 'member')
      expect([await roleOf(viewer, project), await roleOf(member, project)]).toEqual(['member', undefined])
      expect(await team.projects.members(project.id)).toEqual(
        [
          { person: admin.id, role: 'admin' },
          { person: viewer.id, role: 'member' },
        ].toSorted((a, b) => (a.person < b.person ? -1 : 1)),
      )
      await team.projects.setMember(project.id, viewer.id, undefined)
      expect(await roleOf(viewer, project)).toBeUndefined()
      await team.projects.change(admin.organisation, project.id, { access: 'organisation', name: 'Open' })
      expect(await team.projects.list(viewer.id)).toEqual([
        { ...project, access: 'organisation', name: 'Open', role: 'viewer' },
      ])
    })

    test('no one from another organisation can access, join or change it', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const project = await aProject(team, admin)
      expect(await roleOf(stranger, project)).toBeUndefined()
      expect(await team.projects.list(stranger.id)).toEqual([])
      const refused = { code: 'not_found' }
      await expect(team.projects.setMember(project.id, stranger.id, 'viewer')).rejects.toMatchObject(refused)
      await expect(team.projects.change(stranger.organisation, project.id, { name: 'x' })).rejects.toMatchObject(
        refused,
      )
      const foreign = { ...project, id: id(), organisation: stranger.organisation }
      await expect(team.projects.create(foreign, admin.id)).rejects.toMatchObject(refused)
      await expect(
        team.projects.create({ ...project, organisation: stranger.organisation }, stranger.id),
      ).rejects.toMatchObject({ code: 'conflict' })
      expect(await roleOf(stranger, project)).toBeUndefined()
    })

    test('creating a project with a visible name returns the existing one, even concurrently', async () => {
      const admin = await anAdmin(team)
      const member = await aPerson(team, admin.organisation, 'member')
      const wanted = (name: string) => ({
        id: id(),
        organisation: admin.organisation,
        name,
        access: 'organisation' as const,
        createdAt: at(0),
      })
      const made = await Promise.all(
        ['Shop', 'shop', 'SHOP'].map((name) => team.projects.create(wanted(name), member.id)),
      )
      expect(new Set(made.map((one) => one.id)).size).toBe(1)
      expect(await team.projects.list(member.id)).toHaveLength(1)
      const hidden = await aProject(team, admin, 'members')
      expect((await team.projects.create(wanted(hidden.name), member.id)).id).not.toBe(hidden.id)
    })

    test('an archived project is hidden from everyone, and is restored unchanged', async () => {
      const [admin, stranger] = [await anAdmin(team), await anAdmin(team)]
      const viewer = await aPerson(team, admin.organisation, 'viewer')
      const project = await aProject(team, admin, 'members')
      await team.projects.setMember(project.id, viewer.id, 'member')
      await team.projects.change(admin.organisation, project.id, { archivedAt: at(2) })
      expect(await Promise.all([admin, viewer].map((one) => roleOf(one, project)))).toEqual([undefined, undefined])
      expect(await team.projects.list(admin.id)).toEqual([])
      expect(await team.projects.archived(admin.organisation)).toEqual([project])
      expect(await team.projects.archived(stranger.organisation)).toEqual([])
      await team.projects.change(admin.organisation, project.id, { name: 'Renamed' })
      expect(await roleOf(admin, project)).toBeUndefined()
      await team.projects.change(admin.organisation, project.id, { archivedAt: null })
      expect(await roleOf(viewer, project)).toBe('member')
      expect(await team.projects.archived(admin.organisation)).toEqual([])
    })
  })
}
