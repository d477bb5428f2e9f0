import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTeam, type Team } from '../src/app/team/open-team.ts'
import { serveTeam, type TeamServer } from '../src/app/team/serve-team.ts'
import { sha256 } from '../src/kernel/domain/sha256.ts'
import { systemClock } from '../src/kernel/system/clock.ts'
import { issueToken } from '../src/team/issue-token.ts'
import { makeTenants } from './cluster/tenants.ts'
import { newDatabase, type OwnDatabase } from './postgres/run-server.ts'
import { freePort } from './postgres/server.ts'

let postgres: OwnDatabase
let team: Team
// Two replicas: a retry rarely reaches the one that failed.
let servers: readonly TeamServer[]
let token: string
let project: string

beforeAll(async () => {
  postgres = await newDatabase()
  team = await openTeam({ databaseUrl: postgres.url, clock: systemClock, embedder: async () => undefined })
  servers = await Promise.all(
    [0, 1].map(async () => {
      const port = await freePort()
      return serveTeam(team, {
        publicUrl: `http://127.0.0.1:${port}`,
        hostname: '127.0.0.1',
        port,
        clock: systemClock,
        notice: 0,
        log: () => undefined,
      })
    }),
  )
  const [plan] = await makeTenants(team, 1)
  project = plan!.project
  token = await personalToken(plan!.token)
})
afterAll(async () => {
  for (const server of servers ?? []) await server.close()
  await team?.close()
  await postgres?.stop()
})

/** Another token of the person who owns this one. */
async function personalToken(one: string): Promise<string> {
  const { person } = (await team.callerOf(one))!
  const parts = { tokens: team.tokens, clock: systemClock, chance: team.signIn.chance }
  const wanted = { kind: 'personal', name: 'keys', scopes: ['read', 'write'], projects: undefined, days: 1 } as const
  return (await issueToken(parts, person, wanted)).secret
}

interface Sent {
  readonly key?: string
  readonly at?: number
  readonly by?: string
  /** The project in the header instead of the body. */
  readonly in?: string
}

async function send(operation: string, input: object, { key, at = 0, by = token, in: named }: Sent = {}) {
  const response = await fetch(`${servers[at]!.url}/v1/${operation}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(named !== undefined && { 'x-ken-project': named }),
    },
    body: JSON.stringify({ project_id: project, ...input }),
  })
  return {
    status: response.status,
    replayed: response.headers.get('idempotent-replayed'),
    body: (await response.json()) as Record<string, any>,
  }
}

const questions = async (): Promise<readonly string[]> =>
  ((await send('questions', {})).body['questions'] as { body: string }[]).map(({ body }) => body)

test('a change repeated with its key is applied once and answers with what it recorded, on every replica', async () => {
  const input = { question: 'Who owns the invoices?' }
  const first = await send('flag_question', input, { key: 'invoices-1' })
  expect([first.status, first.replayed]).toEqual([200, null])
  for (const at of [0, 1]) {
    const again = await send('flag_question', input, { key: 'invoices-1', at })
    expect(again).toMatchObject({
      status: 200,
      replayed: 'true',
      body: { replayed: true, operation: 'flag_question', facts: { question: 'Q1' } },
    })
  }
  expect(await questions()).toEqual(['Who owns the invoices?'])
})

test('only one of several concurrent calls with the same key changes the record', async () => {
  const input = { title: 'Keep invoices in one table', rationale: 'Auditors ask for a single place to read them.' }
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => send('propose_decision', input, { key: 'concurrent-1', at: at % 2 })),
  )
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(answers.filter(({ body }) => body['status'] === 'confirmed')).toHaveLength(1)
  expect(answers.filter(({ replayed }) => replayed === 'true')).toHaveLength(7)
})

test('undo with a key undoes one change, however often it is sent', async () => {
  await send('flag_question', { question: 'Which queue do deploys use?' })
  await send('undo', { yes: true }, { key: 'undo-deploys' })
  await send('undo', { yes: true }, { key: 'undo-deploys', at: 1 })
  expect(await questions()).toEqual(['Who owns the invoices?'])
})

test('a different input or key is a different call; a different token of the same person is not', async () => {
  const key = 'same-key-1'
  const before = (await questions()).length
  await send('flag_question', { question: 'Where do exports go?' }, { key })
  await send('flag_question', { question: 'Where do imports come from?' }, { key })
  await send('flag_question', { question: 'Where do exports stay?' }, { key: 'same-key-2' })
  expect((await questions()).length).toBe(before + 3)
  // The same person with another token repeats the call.
  const by = await personalToken(token)
  expect((await send('flag_question', { question: 'Where do exports go?' }, { key, by })).replayed).toBe('true')
})

test('one key in two projects creates two events with different ids', async () => {
  const second = (await send('create_project', { name: 'second' })).body['id'] as string
  const events: unknown[] = []
  for (const named of [project, second]) {
    const how = { key: 'both-projects', in: named }
    const input = { question: 'Who reads the logs?', project_id: undefined }
    expect((await send('flag_question', input, how)).replayed).toBe(null)
    events.push((await send('flag_question', input, how)).body['event'])
  }
  expect(new Set(events).size).toBe(2)
})

test('an event that another person pushed under the id of a guessed key is not passed off as the call', async () => {
  const [question, key] = ['Who pays for the lift?', 'guessed-key-1']
  const { person } = (await team.callerOf(token))!
  const idOf = (input: object): string => {
    const hex = sha256(JSON.stringify([project, person, key, 'flag_question', input]))
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
  await send('flag_question', { question: 'Who has the keys?' }, { key })
  const known = await send('flag_question', { question: 'Who has the keys?' }, { key })
  expect(known.body['event']).toBe(idOf({ question: 'Who has the keys?', project_id: project }))
  for (const user of [undefined, 'somebody-else']) {
    const asked = `${question} ${user}`
    const event = idOf({ question: asked, project_id: project })
    const store = team.parts.openRecord(
      { id: project, name: '', mode: 'cloud', location: '', repositories: [], present: true },
      event,
    )
    const origin = { surface: 'http' as const, ...(user !== undefined && { user }) }
    await store.commit(origin, async (draft) => draft.note('flag_question', { question: 'Q1' }))
    const answer = await send('flag_question', { question: asked }, { key })
    expect(answer).toMatchObject({ status: 409, replayed: null, body: { error: { code: 'conflict' } } })
    expect(await questions()).not.toContain(asked)
    expect((await send('flag_question', { question: asked }, { key: 'another-key-1' })).status).toBe(200)
  }
})

test('a key that would guarantee nothing is refused, and reads ignore their keys', async () => {
  expect(await send('create_project', { name: 'more' }, { key: 'project-1' })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('Idempotency-Key is not available for create_project') } },
  })
  for (const key of ['short', 'with spaces in it', 'x'.repeat(256)])
    expect(await send('flag_question', { question: 'Never asked?' }, { key })).toMatchObject({ status: 400 })
  expect((await send('questions', {}, { key: 'x' })).status).toBe(200)
  expect(await questions()).not.toContain('Never asked?')
})
