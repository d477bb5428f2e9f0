import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSlackChannel } from '../../src/team/chat-channel/index.ts'
import type { ChannelPost } from '../../src/team/domain/channel/channel-post.ts'
import type { ChatChannel } from '../../src/team/ports/chat-channel.ts'
import { openFakeSlack, type FakeSlack } from './fake-slack.ts'

let slack: FakeSlack
let channel: ChatChannel
const CHANNEL = 'C0GENERAL'
const HERE = { team: 'T0KENTEAM', channel: CHANNEL, thread: '1.1' }
const POST: ChannelPost = { markdown: 'Hello', foot: [], buttons: [], about: 'x' }

beforeAll(async () => {
  slack = await openFakeSlack([
    { id: 'U0ADA', email: 'ada@acme.example', is_email_confirmed: true },
    { id: 'U0BOT', email: 'bot@acme.example', is_bot: true },
    { id: 'U0ELSE', email: 'ada@acme.example', team: 'T0OTHER', is_stranger: true },
    { id: 'U0UNPROVEN', email: 'ada@acme.example', is_email_confirmed: false },
    { id: 'U0HIDDEN' },
  ])
  channel = open()
})
afterAll(() => slack?.close())
beforeEach(() => {
  slack.messages.length = slack.calls.length = slack.troubles.length = 0
})

const open = (more: object = {}): ChatChannel =>
  openSlackChannel({
    team: slack.team,
    channels: [],
    token: slack.token,
    signingSecret: slack.signingSecret,
    api: slack.api,
    ...more,
  })

const thread = (): { team: string; channel: string; thread: string } => {
  const { ts } = slack.say('U0ADA', CHANNEL, 'hello')
  return { team: slack.team, channel: CHANNEL, thread: ts }
}

const bots = () => slack.messages.filter(({ bot }) => bot)

test('only workspace members with their own confirmed address are resolved', async () => {
  expect(await channel.user('U0ADA', HERE)).toEqual({ email: 'ada@acme.example' })
  for (const id of ['U0BOT', 'U0ELSE', 'U0UNPROVEN', 'U0HIDDEN', 'U0NOBODY'])
    expect(await channel.user(id, HERE), id).toBeUndefined()
})

test('a token of another workspace and a wrong token are refused and never shown', async () => {
  await expect(open({ team: 'T0OTHER' }).user('U0ADA', HERE)).rejects.toMatchObject({ code: 'forbidden' })
  const wrong = await open({ token: 'xoxb-wrong' })
    .user('U0ADA', HERE)
    .catch((error: unknown) => error as Error)
  expect(wrong).toMatchObject({ code: 'forbidden', message: 'Slack refused auth.test: invalid_auth.' })
  expect(JSON.stringify(wrong, Object.getOwnPropertyNames(wrong))).not.toContain('xoxb')
})

test('a post with a lost response is found, and exists once', async () => {
  const place = thread()
  const how = { key: 'T/C/1', since: place.thread }
  slack.troubles.push({ method: 'chat.postMessage', trouble: 'cut', done: true })
  await expect(channel.post(place, POST, { ...how, mayBeThere: false })).rejects.toMatchObject({ code: 'unavailable' })
  expect(await channel.post(place, POST, { ...how, mayBeThere: true })).toBe(bots()[0]!.ts)
  expect(await channel.post(place, POST, { ...how, key: 'T/C/2', mayBeThere: true })).toBe(bots()[1]!.ts)
  expect(bots()).toHaveLength(2)
})

test('a file with a lost response is found, and exists once', async () => {
  const place = thread()
  const file = { name: 'chart-1.png', title: 'Orders', bytes: new Uint8Array([1, 2, 3]) }
  let begun: string | undefined
  const how = { since: place.thread, begin: async (id: string) => void (begun = id) }
  slack.troubles.push({ method: 'files.completeUploadExternal', trouble: { status: 502 }, done: true })
  await expect(channel.share(place, file, { ...how, begun })).rejects.toMatchObject({ code: 'unavailable' })
  await channel.share(place, file, { ...how, begun })
  expect(bots().map(({ files }) => files.map(({ name, bytes }) => [name, [...bytes]]))).toEqual([
    [['chart-1.png', [1, 2, 3]]],
  ])
})

test('waits for the delay that Slack requests, and skips updates that will soon be outdated', async () => {
  const place = thread()
  const message = await channel.post(place, POST, { key: 'k', since: place.thread, mayBeThere: false })
  const updates = () => slack.calls.filter(({ method }) => method === 'chat.update').length
  slack.troubles.push({ method: 'chat.update', trouble: { status: 429, retryAfter: 1 } })
  await channel.change(place, message, { ...POST, markdown: 'half' }, { isSoonOld: true })
  await channel.change(place, message, { ...POST, markdown: 'more' }, { isSoonOld: true })
  expect([updates(), bots()[0]!.text]).toEqual([1, 'Hello'])
  slack.troubles.push({ method: 'chat.update', trouble: { status: 429, retryAfter: 1 } })
  await channel.change(place, message, { ...POST, markdown: 'whole' })
  expect([updates(), bots()[0]!.text]).toEqual([3, 'whole'])
  slack.troubles.push({ method: 'chat.update', trouble: { status: 429, retryAfter: 3_600 } })
  await expect(channel.change(place, message, POST)).rejects.toMatchObject({ code: 'unavailable' })
})

test('posted text cannot contain mentions or links', async () => {
  const place = thread()
  await channel.post(
    place,
    { ...POST, markdown: '<!channel> @here <@U0ADA>' },
    { key: 'k', since: '0', mayBeThere: false },
  )
  const { given } = slack.calls.at(-1)!
  expect(given).toMatchObject({ parse: 'none', link_names: 'false', unfurl_links: 'false' })
  expect(`${given['text']}${given['blocks']}`).not.toMatch(/<[!@]/)
})

test('only requests signed by Slack in the last five minutes are accepted', async () => {
  // The example for signing requests in Slack's documentation.
  const body =
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'
  const headers: Record<string, string> = {
    'x-slack-request-timestamp': '1531420618',
    'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
  }
  const read = (secret: string, at: number, more: Record<string, string> = {}, text = body) =>
    open({ signingSecret: secret }).read(
      { body: Buffer.from(text), header: (name) => ({ ...headers, ...more })[name] },
      new Date(at * 1_000),
    )
  const [secret, at] = ['8f742231b10e8888abcd99yyyzzz85a5', 1_531_420_618]
  for (const now of [at, at + 299, at - 299]) expect(await read(secret, now)).toEqual({ kind: 'nothing' })
  for (const now of [at + 301, at - 301]) expect(await read(secret, now)).toBeUndefined()
  expect(await read('other', at)).toBeUndefined()
  expect(await read(secret, at, {}, `${body}&text=more`)).toBeUndefined()
  for (const wrong of ['', 'v0=', `${headers['x-slack-signature']}0`, headers['x-slack-signature']!.toUpperCase()])
    expect(await read(secret, at, { 'x-slack-signature': wrong })).toBeUndefined()
  expect(await read(secret, at, { 'x-slack-request-timestamp': '1531420618.0' })).toBeUndefined()
})
