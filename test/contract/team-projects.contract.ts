import { beforeAll, describe, expect, test } from 'vitest'
import { anAdmin, aPerson, aProject, id, type TeamPorts } from './team-subject.ts'

export function describeTeamProjects(name: string, open: () => Promise<TeamPorts>): void {
  describe(`projects of a team: ${name}`, () => {
    let team: TeamPorts
    beforeAll(async () => {
      team = await open()
    })
    const roleOf = async (person: { id: string }, project: { id: string }) =>
      (await team.projects.standing(person.id, project.id))?.role

    test('everybody of the organisation gets at an open project with the role that they have', async () => {
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

    test('a project of members only is not there for the others', async () => {
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

    test('nobody of another organisation gets at it, is let in or changes it', async () => {
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
  })
}
