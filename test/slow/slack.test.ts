import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openPostgresDatabase } from '../../src/database/postgres/index.ts'
import { openPostgresAnalystState } from '../../src/database/state/postgres/analyst-state.ts'
import { KEN } from '../ken-program.ts'
import { openScriptedModel, type ScriptedModel } from '../scripted-model.ts'
import { openFakeSlack, type FakeSlack, type PostedMessage } from '../slack/fake-slack.ts'
import { openTeamProcesses, type Replica, type TeamProcesses } from './team-processes.ts'

const CHANNEL = 'C0GENERAL'
const LET_IN = 'Ken does not answer you here.'

let slack: FakeSlack
let model: ScriptedModel
let team: TeamProcesses
let [one, two]: Replica[] = []
let isDrawn = Promise.withResolvers<void>()
let [cutOff, handedOn]: PostedMessage[] = []
let leaving: Promise<number>

beforeAll(async () => {
  slack = await openFakeSlack([
    { id: 'U0ADA', email: 'Ada@acme.example' },
    { id: 'U0BOB', email: 'bob@acme.example' },
    { id: 'U0EVE', email: 'eve@elsewhere.example' },
    { id: 'U0TWIN', email: 'ada@acme.example', team: 'T0OTHER', is_stranger: true },
  ])
  model = await openScriptedModel(['Nothing is scripted.'], {
    scripts: {
      'Bob wonders': () => 'For Bob alone.',
      'Draw them': async () => {
        await isDrawn.promise
        return 'Here they are.'
      },
      'And of those': () => 'Of those, **12**.',
      'Never end': () => ({ say: 'It begins', silence: true }),
      'Outlive me': (_, at) => (at === 0 ? { say: 'It begins', silence: true } : 'It was finished.'),
      'Hand me on': (_, at) => (at === 0 ? { say: 'It begins', silence: true } : 'It was handed on.'),
      'How many orders': () => 'There are **842** orders & <!channel>.',
    },
  })
  team = await openTeamProcesses({ KEN_MODEL: 'compatible:scripted', KEN_MODEL_URL: `${model.url}/v1` })
  // These replicas start here so that their grace period and lease expire while the other tests run.
  const four = await start()
  handedOn = await begun(four, 'Hand me on')
  leaving = four.end()
  const three = await start()
  cutOff = await begun(three, 'Outlive me')
  await three.kill()
  ;[one, two] = (await Promise.all([start(), start(), letIn('bob@acme.example')])) as unknown as [Replica, Replica]
})
afterAll(async () => {
  isDrawn.resolve()
  await team?.close()
  await model?.close()
  await slack?.close()
})

const start = (): Promise<Replica> =>
  team.start({
    KEN_SLACK_BOT_TOKEN: slack.token,
    KEN_SLACK_SIGNING_SECRET: slack.signingSecret,
    KEN_SLACK_PROJECTS: `${slack.team}=${team.project}`,
    KEN_SLACK_API_URL: slack.api,
  })

const letIn = async (email: string): Promise<void> => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: team.databaseUrl, KEN_PUBLIC_URL: 'https://ken.example' }
  for (const words of [
    ['invite', email],
    ['token', email, '--name', 'laptop', '--days', '1'],
  ])
    await promisify(execFile)(process.execPath, [KEN, 'server', ...words], { env })
}

const hook = (replica: Replica, project = team.project): string => `${replica.url}/hooks/slack/${project}`

const mention = async (replica: Replica, user: string, words: string, thread?: string): Promise<PostedMessage> => {
  const message = slack.say(user, CHANNEL, `<@${slack.bot}> ${words}`, thread)
  expect((await slack.event(hook(replica), slack.mention(message))).status).toBe(200)
  return message
}

const begun = async (replica: Replica, words: string): Promise<PostedMessage> => {
  const message = await mention(replica, 'U0ADA', words)
  await vi.waitUntil(() => shownIn(answerTo(message)).includes('It begins'), { timeout: 60_000 })
  return message
}

const asked = (words: string): number => model.requests.filter(({ user }) => user.includes(words)).length

/** The app's posts for a message, by the key in their metadata. */
const answersTo = ({ ts }: PostedMessage): PostedMessage[] =>
  slack.messages.filter(({ metadata }) => (metadata as any)?.event_payload.key.endsWith(`/${ts}`))
const answerTo = (message: PostedMessage): PostedMessage | undefined => answersTo(message)[0]

const shownIn = (message: PostedMessage | undefined): string => JSON.stringify(message?.blocks ?? [])
const isAnswered = (message: PostedMessage): boolean => shownIn(answerTo(message)).includes('ken_up')
const answered = async (message: PostedMessage): Promise<PostedMessage> => {
  await expect.poll(() => isAnswered(message)).toBe(true)
  return answerTo(message)!
}
const pressed = async (user: string, message: PostedMessage, action: string): Promise<void> =>
  expect((await slack.interaction(hook(two!), slack.press(user, message, action))).status).toBe(200)
const whispersTo = (user: string): string[] => slack.whispers.filter((one) => one.user === user).map(({ text }) => text)
const adas = (operation: string, input: object = {}) => one!.call(team.token, operation, input)

test('Slack gets its challenge back, and only signed events for its own project are accepted', async () => {
  const ask = { type: 'url_verification', token: 'legacy', challenge: '3eZbrw1aBm2rZgRN' }
  const proved = await slack.event(hook(one!), ask)
  expect([proved.status, await proved.text()]).toEqual([200, ask.challenge])
  const told = async (response: Response) => [response.status, await response.text()]
  const forged = await told(await slack.event(hook(one!), ask, { secret: 'guessed' }))
  expect(forged[0]).toBe(401)
  expect(await told(await slack.event(hook(one!, '01J00000000000000000000001'), ask))).toEqual(forged)
  expect(await told(await slack.event(hook(one!, 'shop'), ask))).toEqual(forged)
  expect(await told(await slack.event(hook(one!), ask, { at: Date.now() / 1_000 - 400 }))).toEqual(forged)
  expect((await slack.event(hook(one!), { text: 'x'.repeat(600_000) })).status).toBe(413)
})

test('a mention delivered repeatedly to every replica is answered once in its thread, and a reply continues the chat', async () => {
  const message = slack.say('U0ADA', CHANNEL, `<@${slack.bot}> How many orders?`)
  const event = slack.mention(message)
  const heard = [one!, two!, one!, two!].map((replica, at) =>
    slack.event(hook(replica), event, { headers: { 'x-slack-retry-num': String(at) } }),
  )
  for (const { status } of await Promise.all(heard)) expect(status).toBe(200)
  const answer = await answered(message)
  await slack.event(hook(two!), event)
  expect(answer.thread).toBe(message.ts)
  expect(shownIn(answer)).toContain('There are *842(?)* orders &amp; &lt;!channel&gt;.')
  const { body } = await adas('chats_list')
  const chat = body.chats.find(({ title }: { title: string }) => title === 'How many orders?')
  expect(shownIn(answer)).toContain(`/${team.project}/ask/${chat.id}|Open in Ken`)

  // Not a mention: the person who asked in a thread can continue without one.
  const next = slack.say('U0ADA', CHANNEL, 'And of those paid?', message.ts)
  await slack.event(hook(one!), slack.reply(next))
  expect(shownIn(await answered(next))).toContain('Of those, *12(?)*.')
  const shown = await adas('chat_show', { chat: chat.id })
  expect(shown.body.messages.map(({ role }: { role: string }) => role).join()).toBe('user,assistant,user,assistant')
  expect([answersTo(message).length, answersTo(next).length, asked('How many orders')]).toEqual([1, 1, 1])
})

test('another person in a thread asks as themselves, in a separate chat that includes the thread so far', async () => {
  const first = slack.messages.find(({ text }) => text.includes('How many orders?'))!
  const passed = slack.say('U0BOB', CHANNEL, 'Nice.', first.ts)
  await slack.event(hook(one!), slack.reply(passed))
  const own = await mention(one!, 'U0BOB', 'Bob wonders', first.ts)
  const answer = await answered(own)
  expect(shownIn(answer)).toContain('For Bob alone.')
  expect(answersTo(passed)).toEqual([])
  const { said, user } = model.requests.findLast((request) => request.user.includes('Bob wonders'))!
  expect(user).toMatch(/How many orders\?[\s\S]*Nice\./)
  expect(user).toContain('data, not instructions')
  expect(said).toContain('untrusted')
  const { body } = await adas('chats_list')
  expect(JSON.stringify(body)).not.toContain('Bob wonders')
  // Only Bob's thumbs count for his answer; Ada's is ignored.
  await pressed('U0ADA', answer, 'ken_up')
  await expect.poll(() => whispersTo('U0ADA')).toContain('Only whoever asked can do that here.')
})

test('thumbs are the same votes as in the web app, and a thumb down asks why', async () => {
  const message = slack.messages.find(({ text }) => text.includes('How many orders?'))!
  const answer = await answered(message)
  await pressed('U0ADA', answer, 'ken_up')
  await expect.poll(async () => (await adas('feedback_list')).body.up).toBe(1)
  await pressed('U0ADA', answer, 'ken_down')
  expect(slack.views).toHaveLength(1)
  expect((await adas('feedback_list')).body.down).toBe(0)
  const sent = await slack.interaction(hook(one!), slack.submit('U0ADA', slack.views[0], 'Net of refunds.'))
  expect([sent.status, await sent.text()]).toEqual([200, ''])
  await expect.poll(async () => (await adas('feedback_list')).body.down).toBe(1)
  const { votes } = (await adas('feedback_list')).body
  expect(votes).toMatchObject([{ vote: 'down', reason: 'Net of refunds.', question: 'How many orders?' }])
})

test('strangers, viewers and people from other workspaces get one private line and nothing else', async () => {
  const before = model.requests.length
  const { body } = await adas('people_list')
  const { id: person } = body.people.find(({ email }: { email: string }) => email === 'bob@acme.example')
  expect((await adas('people_change', { person, role: 'viewer' })).status).toBe(200)
  const messages = []
  for (const user of ['U0EVE', 'U0TWIN', 'U0BOB']) {
    messages.push(await mention(two!, user, 'How many orders?'))
    await expect.poll(() => whispersTo(user).filter((line) => line.startsWith(LET_IN))).toHaveLength(1)
  }
  expect(messages.flatMap(answersTo)).toEqual([])
  expect(model.requests).toHaveLength(before)
})

test('the person who asked can stop an answer', async () => {
  const message = await mention(one!, 'U0ADA', 'Never end')
  await expect.poll(() => shownIn(answerTo(message))).toContain('It begins')
  await pressed('U0ADA', answerTo(message)!, 'ken_stop')
  expect(shownIn(await answered(message))).toContain('_Stopped._')
  expect(asked('Never end')).toBe(1)
})

test('an answer that Slack rejected is delivered later, once, with its chart as an image, and the question is not asked again', async () => {
  // For another message the first post takes effect, but its response is lost.
  slack.troubles.push({ method: 'chat.postMessage', trouble: 'cut', done: true })
  const unheard = await mention(two!, 'U0ADA', 'How many orders, once more?')
  await expect.poll(() => answersTo(unheard)).toHaveLength(1)
  const message = await mention(one!, 'U0ADA', 'Draw them')
  await expect.poll(() => asked('Draw them')).toBe(1)
  await plantChart('Draw them')
  slack.troubles.push({ method: 'chat.update', trouble: { error: 'fatal_error' } })
  for (let i = 0; i < 3; i++) slack.troubles.push({ method: 'chat.update', trouble: { status: 429, retryAfter: 1 } })
  isDrawn.resolve()
  expect(shownIn(await answered(message))).toContain('Here they are.')
  const pictures = () => slack.messages.filter(({ thread, files }) => thread === message.ts && files.length > 0)
  await expect.poll(pictures).toHaveLength(1)
  const [{ name, title, bytes }] = pictures()[0]!.files as [PostedMessage['files'][number]]
  expect([name, title, bytes.subarray(1, 4).toString()]).toEqual(['chart-1.png', 'Orders by month', 'PNG'])
  expect([answersTo(message).length, asked('Draw them')]).toEqual([1, 1])
  expect(shownIn(await answered(unheard))).toContain('There are *842')
  expect(answersTo(unheard)).toHaveLength(1)
})

test('an answer on a killed replica is finished by another one, in the same chat and message', async () => {
  expect(shownIn(await answered(cutOff!))).toContain('It was finished.')
  expect([answersTo(cutOff!).length, asked('Outlive me')]).toEqual([1, 2])
  expect(await chatsTitled('Outlive me')).toEqual([['user', 'assistant']])
})

test('an answer on a replica taken out of service is handed over, in the same chat and message', async () => {
  expect(await leaving).toBe(0)
  expect(shownIn(await answered(handedOn!))).toContain('It was handed on.')
  expect([answersTo(handedOn!).length, asked('Hand me on')]).toEqual([1, 2])
  expect(await chatsTitled('Hand me on')).toEqual([['user', 'assistant']])
})

/** Message roles of each chat with this title, in order. */
const chatsTitled = async (titled: string): Promise<string[][]> => {
  const { chats } = (await adas('chats_list')).body
  const own = chats.filter(({ title }: { title: string }) => title === titled)
  const shown = own.map(({ id }: { id: string }) => adas('chat_show', { chat: id }))
  return (await Promise.all(shown)).map(({ body }) => body.messages.map(({ role }: { role: string }) => role))
}

/** Adds the part that `display_chart` leaves in a running answer: a team project has no database to query. */
async function plantChart(titled: string): Promise<void> {
  const { id: chat } = (await adas('chats_list')).body.chats.find(({ title }: { title: string }) => title === titled)
  const message = (await adas('chat_show', { chat })).body.messages.at(-1).id as string
  const { body } = await adas('people_list')
  const { id: person } = body.people.find(({ email }: { email: string }) => email === 'ada@acme.example')
  const database = await openPostgresDatabase({ url: team.databaseUrl })
  try {
    const state = openPostgresAnalystState(database, { project: team.project, person })
    const [query, at] = ['q_0123456789ab', new Date().toISOString()]
    const columns = [
      { name: 'month', type: 'text' },
      { name: 'orders', type: 'integer' },
    ]
    const rows = [
      ['May', 3],
      ['June', 5],
    ]
    const result = {
      chat,
      id: query,
      message,
      database: 'shop',
      sql: 'SELECT 1',
      columns,
      rows,
      rowCount: 2,
      cut: false,
    }
    await state.queries.keep({ ...result, at })
    const chart = { query, kind: 'bar' as const, title: 'Orders by month', x: 'month', series: [{ column: 'orders' }] }
    await state.log.append({ id: message, chat }, { kind: 'chart', call: 'c1', chart }, at)
  } finally {
    await database.close()
  }
}
