import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SentEvent } from '../analyst/sent-events.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { openTeamProcesses, type Replica, type TeamProcesses } from './team-processes.ts'

let model: ScriptedModel
let team: TeamProcesses
let [one, two]: Replica[] = []

const LONG = Array.from({ length: 30 }, (_, at) => `Word ${at} of the answer.`).join(' ')

beforeAll(async () => {
  model = await openScriptedModel(['Nothing is scripted.'], {
    scripts: {
      // Keys are matched in order against everything the person wrote in the chat.
      'And now': () => 'It goes on.',
      'What does it cost': () => ({ say: 'A dollar.', usage: { input: 1_000_000, output: 0 } }),
      'Tell me slowly': [{ say: LONG, slow: 60 }],
      'Never end': () => ({ say: 'It begins', silence: true }),
    },
  })
  team = await openTeamProcesses({ KEN_MODEL: 'compatible:scripted', KEN_MODEL_URL: `${model.url}/v1` })
  ;[one, two] = [await team.start(), await team.start()]
})
afterAll(async () => {
  await team?.close()
  await model?.close()
})

const asked = async (replica: Replica, question: string, more: object = {}): Promise<string> => {
  const { status, body } = await replica.call(team.token, 'ask', { question, detach: true, ...more })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body.chat as string
}

const textIn = (events: readonly SentEvent[]): string =>
  events
    .map(({ data }) => data as any)
    .map((event) => (event.type === 'more' ? event.text : event.part?.kind === 'text' ? event.part.text : ''))
    .join('')

const endsIn = (events: readonly SentEvent[]): readonly string[] =>
  events.flatMap(({ data }) => ((data as any).type === 'end' ? [(data as any).end.reason as string] : []))

/** Waits for the first model output, so that the turn is in the middle of its answer. */
const begun = async (replica: Replica, chat: string): Promise<void> => {
  const events = await replica.events(team.token, 'chat_follow', { chat })
  for (let event = await events.next(); ; event = await events.next()) {
    const told = event?.data as any
    if (told === undefined) throw new Error('the answer ended before it began')
    if (told.type === 'part' && told.part.kind === 'text' && told.part.text.startsWith('I')) break
  }
  events.leave()
}

test('an answer written by one replica is streamed on another, to the last word', async () => {
  const chat = await asked(one!, 'Tell me slowly')
  const events = await two!.events(team.token, 'chat_follow', { chat })
  const heard: SentEvent[] = []
  for (let event = await events.next(); event !== undefined; event = await events.next()) heard.push(event)
  expect(textIn(heard)).toBe(`Tell me slowly${LONG}`)
  expect(endsIn(heard)).toEqual(['answered', 'answered'])
  // Streamed in pieces, not once at the end.
  expect(heard.filter(({ data }) => (data as any).type === 'more').length).toBeGreaterThan(3)
  const { body } = await one!.call(team.token, 'chat_show', { chat })
  expect(JSON.stringify(body)).toContain('Word 29 of the answer.')
})

test('a chat has one turn at a time across all replicas, and can be stopped from any of them', async () => {
  const chat = await asked(one!, 'Never end')
  await begun(two!, chat)
  expect(await two!.call(team.token, 'ask', { question: 'And now', chat })).toMatchObject({ status: 409 })
  expect(await two!.call(team.token, 'chat_stop', { chat })).toMatchObject({ status: 200, body: { stopped: true } })
  const events = await two!.events(team.token, 'chat_follow', { chat })
  expect(endsIn(await events.rest())).toEqual(['answered', 'stopped'])
  expect(await two!.call(team.token, 'chat_stop', { chat })).toMatchObject({ body: { stopped: false } })
})

test('a replica killed in a turn leaves a chat that reports it, and the chat continues elsewhere', async () => {
  const three = await team.start()
  const chat = await asked(three, 'Never end')
  await begun(two!, chat)
  const events = await two!.events(team.token, 'chat_follow', { chat })
  await three.kill()
  expect(endsIn(await events.rest())).toEqual(['answered', 'cut'])
  const { body } = await two!.call(team.token, 'ask', { question: 'And now', chat })
  expect(body).toMatchObject({ text: 'It goes on.', end: 'answered' })
  expect(model.requests.at(-1)!.said).toContain('Never end')
})

test('a replica taken out of service ends its own turns', async () => {
  const three = await team.start()
  const chat = await asked(three, 'Never end')
  await begun(two!, chat)
  const events = await two!.events(team.token, 'chat_follow', { chat })
  expect(await three.end()).toBe(0)
  expect(endsIn(await events.rest())).toEqual(['answered', 'stopped'])
})

test('a caller cannot choose another model or a program on the machine', async () => {
  for (const name of ['openai:gpt-5', 'agent:codex'])
    expect(await one!.call(team.token, 'ask', { question: 'And now', model: name })).toMatchObject({ status: 403 })
  const { body } = await one!.call(team.token, 'answerers')
  expect(body).toMatchObject({ set: 'compatible:scripted' })
  expect(body.answerers.map(({ name }: { name: string }) => name)).toEqual(['compatible:scripted'])
})

test('answers from the record without a model', async () => {
  const plain = await team.start({ KEN_MODEL: '' })
  await plain.call(team.token, 'propose_decision', {
    title: 'Cache hot reads in Redis',
    rationale: 'Lower p99 than the database has.',
  })
  const { body } = await plain.call(team.token, 'ask', { question: 'Should we cache hot reads in Redis?' })
  expect(body).toMatchObject({ model: 'evidence', end: 'answered', text: expect.stringContaining('Cache hot reads') })
  expect(body.notes.join(' ')).toContain('KEN_MODEL')
})

test('a project budget warns at 80 % and then stops questions, on every replica', async () => {
  const home = mkdtempSync(join(tmpdir(), 'ken-team-home-'))
  writeFileSync(join(home, 'config.yml'), 'model:\n  prices: "1/2"\nbudget:\n  project: 1.2\n')
  const [a, b] = [await team.start({ KEN_HOME: home }), await team.start({ KEN_HOME: home })]
  const question = 'What does it cost?'
  const first = await a!.call(team.token, 'ask', { question })
  expect(first.body).toMatchObject({ end: 'answered', notes: [] })
  const second = await b!.call(team.token, 'ask', { question })
  expect(second.body).toMatchObject({
    end: 'answered',
    notes: ['83 % of the budget of this project for this month is spent.'],
  })
  const third = await a!.call(team.token, 'ask', { question })
  expect(third).toMatchObject({ status: 403, body: { error: { message: expect.stringContaining('is spent: $1.2') } } })
  const { body } = await b!.call(team.token, 'usage')
  expect(body.budgets).toEqual([{ of: 'project', most: 1.2, spent: 2 }])
  expect((await one!.call(team.token, 'ask', { question: 'And now' })).body).toMatchObject({ end: 'answered' })
  rmSync(home, { recursive: true })
})
