import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeamOn, type Team } from '../../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../../src/app/team/serve-team.ts'
import { openChannels } from '../../src/app/team/team-channels.ts'
import type { SqlDatabase } from '../../src/kernel/ports/sql-database.ts'
import { systemClock } from '../../src/kernel/system/clock.ts'
import { openNewDatabase } from '../postgres/run-server.ts'
import { freePort } from '../postgres/server.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { cardOf, openFakeTeams, textOf, type FakeTeams } from './fake-teams.ts'

let teams: FakeTeams
let model: ScriptedModel
let database: SqlDatabase
let team: Team
let server: TeamServer
let hook = ''
const [person, project] = [systemClock.ulid(), systemClock.ulid()]

beforeAll(async () => {
  teams = await openFakeTeams([
    { id: '29:ada', email: 'Ada@acme.example', userPrincipalName: 'ada@acme.example' },
    { id: '29:eve', email: 'eve@acme.example', userPrincipalName: 'eve@acme.example' },
  ])
  model = await openScriptedModel(['There are **842** orders.'])
  database = await openNewDatabase()
  const environment = {
    ...teams.environment(project),
    KEN_MODEL: 'compatible:scripted',
    KEN_MODEL_URL: `${model.url}/v1`,
  }
  team = await openTeamOn(database, { clock: systemClock, embedder: async () => undefined, environment })
  const [organisation, createdAt] = [systemClock.ulid(), systemClock.now().toISOString()]
  const ada = { id: person, organisation, email: 'ada@acme.example', name: 'Ada', createdAt, leftAt: undefined }
  await team.people.found({ id: organisation, name: 'Acme', createdAt }, { ...ada, role: 'admin' }, { first: false })
  await team.projects.create({ id: project, organisation, name: 'Shop', access: 'organisation', createdAt }, person)
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  hook = `${publicUrl}/hooks/teams/${project}`
  server = await serveTeam(team, {
    publicUrl,
    hostname: '127.0.0.1',
    port,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
    channels: openChannels(environment),
  })
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await database?.close()
  await model?.close()
  await teams?.close()
})

const asked = (words: string): number => model.requests.filter(({ user }) => user.includes(words)).length
const answered = async (): Promise<string> => {
  await expect.poll(() => teams.posted.map((one) => JSON.stringify(cardOf(one).actions)).join()).toContain('"up"')
  return textOf(teams.posted.at(-1)!)
}

test('a mention is answered in its thread once, however often it is delivered, and can be voted on', async () => {
  const activity = teams.mention('29:ada', 'How many orders are there?')
  for (let time = 0; time < 3; time++) expect((await teams.send(hook, activity)).status).toBe(200)
  expect(await answered()).toContain('There are **842')
  expect(teams.posted).toHaveLength(1)
  expect(teams.posted[0]!.conversation).toBe(activity.conversation.id)
  expect((await teams.send(hook, activity)).status).toBe(200)
  expect((await teams.send(hook, teams.press('29:ada', teams.posted[0]!, 'up'))).status).toBe(200)
  await expect.poll(() => teams.whispers).toEqual([{ user: '29:ada', text: 'Noted. Thank you.' }])
  expect([teams.posted.length, asked('How many orders')]).toEqual([1, 1])
})

test('a forged request is refused like one for an unknown project, and nothing is asked', async () => {
  const activity = teams.mention('29:ada', 'What is the password?')
  const told = async (response: Response) => [response.status, await response.text()]
  const forged = await told(await teams.send(hook, activity, { key: 'other' }))
  expect(forged[0]).toBe(401)
  expect(await told(await teams.send(hook, activity, { claims: { aud: 'another' } }))).toEqual(forged)
  expect(await told(await teams.send(hook.replace(project, systemClock.ulid()), activity))).toEqual(forged)
  // The address of another channel accepts nothing of this one.
  expect(await told(await teams.send(hook.replace('teams', 'slack'), activity))).toEqual(forged)
  expect(asked('password')).toBe(0)
})

test('a colleague without an account gets one line that nobody else sees', async () => {
  const before = teams.posted.length
  expect((await teams.send(hook, teams.mention('29:eve', 'Show me everything'))).status).toBe(200)
  await expect.poll(() => teams.whispers.filter(({ user }) => user === '29:eve')).toHaveLength(1)
  expect(teams.whispers.at(-1)!.text).toContain('Ken does not answer you here.')
  expect([teams.posted.length, asked('everything')]).toEqual([before, 0])
})
