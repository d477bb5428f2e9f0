import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeamOn, type Team } from '../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../src/app/team/serve-team.ts'
import type { SqlDatabase } from '../src/kernel/ports/sql-database.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { systemRandom } from '../src/kernel/system/random.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { everyRow } from './postgres/every-row.ts'
import { openNewDatabase } from './postgres/run-server.ts'
import { freePort } from './postgres/server.ts'

const NAME = 'Zebulon Quagmire'
const PARTS = /zebulon|quagmire/i
let database: SqlDatabase
let [team, server, origin] = [] as unknown as [Team, TeamServer, string]
let headers: Record<string, string>

beforeAll(async () => {
  database = await openNewDatabase()
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  team = await openTeamOn(database, { clock: systemClock, embedder: async () => undefined })
  server = await serveTeam(team, {
    publicUrl: origin,
    hostname: '127.0.0.1',
    port,
    clock: systemClock,
    notice: 0,
    log: () => undefined,
  })
  const [organisation, person, project] = [systemClock.ulid(), systemClock.ulid(), systemClock.ulid()]
  const createdAt = systemClock.now().toISOString()
  await team.people.found(
    { id: organisation, name: 'Acme', createdAt },
    { id: person, organisation, email: 'ada@acme.example', name: 'Ada', role: 'admin', createdAt, leftAt: undefined },
    { first: false },
  )
  await team.projects.create({ id: project, organisation, name: 'Shop', access: 'organisation', createdAt }, person)
  const wanted = {
    kind: 'personal',
    scopes: ['read', 'write', 'admin'],
    name: 'test',
    days: 1,
    projects: undefined,
  } as const
  const { secret } = await issueToken({ tokens: team.tokens, clock: systemClock, chance: systemRandom }, person, wanted)
  headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json', 'x-ken-project': project }
})
afterAll(async () => {
  await server?.close()
  await team?.close()
  await database?.close()
})

async function call(name: string, input: object = {}): Promise<Record<string, unknown>> {
  const response = await fetch(`${origin}/v1/${name}`, { method: 'POST', headers, body: JSON.stringify(input) })
  const answer = (await response.json()) as Record<string, unknown>
  expect([name, response.status, answer['error']]).toEqual([name, 200, undefined])
  return answer
}

/** Tables of the record that have a row containing a part of the name. */
const holding = async (): Promise<readonly string[]> =>
  Object.entries(await everyRow(database))
    .filter(([, rows]) => rows.some((row) => PARTS.test(row)))
    .map(([table]) => table)

test('removes a name from the record, its past, its file names and every row of the database', async () => {
  const rationale = `${NAME} keeps the only copy of the invoices, so that a second one is needed before the audit.`
  await call('propose_decision', { title: `Copy the invoices of ${NAME}`, rationale })
  await call('update_state', { delta: `${NAME.toUpperCase()} is asked for the invoices.` })
  await call('flag_question', { question: `Who replaces ${NAME}?` })
  await call('propose_decision', {
    title: 'Print invoices on Mondays',
    rationale: 'The printer of the shop rests then.',
  })
  expect((await holding()).length).toBeGreaterThan(2)

  const shown = await call('redact_words', { words: [NAME] })
  expect(shown).toMatchObject({ outcome: 'shown', rewritten: 0 })
  expect((await holding()).length).toBeGreaterThan(2)

  const done = await call('redact_words', { words: [NAME], confirmed: true })
  expect(done).toMatchObject({ outcome: 'redacted', left: [] })
  expect(JSON.stringify(done)).not.toMatch(PARTS)
  expect(await holding()).toEqual([])

  expect(await call('verify')).toMatchObject({ clean: true })
  const { events } = (await call('journal', {})) as { events: readonly { id: string; operation: string }[] }
  expect(events.find(({ id }) => id === done['event'])).toMatchObject({ operation: 'redact' })
  const checked = await call('check_decision', { proposed_approach: 'Copy the invoices of the shop a second time' })
  expect(JSON.stringify(checked)).toContain('Copy the invoices of [redacted]')
  expect(await call('redact_words', { words: [NAME] })).toMatchObject({ outcome: 'none', places: [] })
})

test('names the tables beside the record that hold the words, whatever white space is between them', async () => {
  const project = headers['x-ken-project']!
  const ask = { team: 'T1', channel: 'C1', thread: '1.1', user: 'U1', isMention: true, isReply: false }
  for (const [at, space] of [' ', '\n', ' \t\r\n '].entries())
    await team.channelAsks.take(
      project,
      { ...ask, id: `T1/C1/${at}.1`, words: `Who is ${NAME.replace(' ', space)}?` },
      systemClock.now().toISOString(),
    )
  const { shared } = (await call('redact_words', { words: [NAME] })) as { shared: readonly { rows: number }[] }
  expect(shared.reduce((sum, { rows }) => sum + rows, 0)).toBe(3)
})
