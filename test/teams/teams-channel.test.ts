import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openChannels } from '../../src/app/team/team-channels.ts'
import type { ChannelPost } from '../../src/team/domain/channel/channel-post.ts'
import type { ChatChannel } from '../../src/team/ports/chat-channel.ts'
import { cardOf, openFakeTeams, textOf, type FakeTeams, type Forging } from './fake-teams.ts'

const [SHOP, LAB] = ['01J00000000000000000000001', '01J00000000000000000000002']
const POST: ChannelPost = { markdown: 'Hello', foot: [], buttons: [], about: 'x' }
let teams: FakeTeams
let channel: ChatChannel
beforeAll(async () => {
  teams = await openFakeTeams([
    { id: '29:ada', email: 'Ada@acme.example', userPrincipalName: 'ada@acme.example' },
    { id: '29:upn', userPrincipalName: 'bob@acme.example' },
    { id: '29:guest', email: 'ada@acme.example', userRole: 'guest' },
    { id: '29:ext', email: 'ada@acme.example', userPrincipalName: 'ada_acme.example#EXT#@other.example' },
    { id: '29:other', email: 'ada@acme.example', tenantId: '99999999-2222-3333-4444-555555555555' },
    { id: '29:sync', email: 'ada@acme.example', userPrincipalName: 'ada_acme.example#ext#@other.example' },
    { id: '29:unnamed', email: 'ada@acme.example' },
    { id: '29:nameless' },
  ])
})
afterAll(() => teams?.close())
beforeEach(() => {
  channel = open()
  teams.posted.length = teams.whispers.length = teams.tokens.length = teams.troubles.length = 0
})

const open = (more: Record<string, string> = {}): ChatChannel =>
  openChannels({ ...teams.environment(SHOP), ...more }).get(SHOP)!
const place = (thread = '1700000000001') => ({ team: teams.serviceUrl.slice(0, -1), channel: teams.channel, thread })
const read = (activity: unknown, forged?: Forging, now = new Date()) =>
  channel.read(
    {
      body: Buffer.from(typeof activity === 'string' ? activity : JSON.stringify(activity)),
      header: (name) => (name === 'authorization' ? teams.header(forged) : undefined),
    },
    now,
  )

test('a mention with a good token is a question in its thread', async () => {
  const activity = teams.mention('29:ada', 'how many orders?')
  const id = String(activity.id)
  const asked = { kind: 'ask', user: '29:ada', words: 'how many orders?', isMention: true, ...place(id) }
  expect(await read(activity)).toEqual({ ...asked, id: `${teams.channel}/${id}`, isReply: false })
  const reply = { ...activity, conversation: { ...activity.conversation, id: `${teams.channel};messageid=1699` } }
  expect(await read(reply)).toMatchObject({ thread: '1699', isReply: true })
})

const seconds = (from: number): number => Math.floor(Date.now() / 1_000) + from
const unsigned = (): string => {
  const [head, body] = ['{"alg":"none","kid":"main"}', '{}'].map((part) => Buffer.from(part).toString('base64url'))
  return `Bearer ${head}.${body}.AA`
}
const byPassword = (): string => {
  const [, body] = teams.header().split('.')
  const head = Buffer.from('{"alg":"HS256","kid":"main"}').toString('base64url')
  return `Bearer ${head}.${body}.${createHmac('sha256', teams.password).update(`${head}.${body}`).digest('base64url')}`
}
const FORGED: readonly [string, () => Forging][] = [
  ['no token', () => ({ header: '' })],
  ['garbage', () => ({ header: 'Bearer a.b.c' })],
  ['a token without a signature', () => ({ header: unsigned() })],
  ['a token signed with another method', () => ({ header: byPassword() })],
  ['a token signed with another key', () => ({ key: 'other' })],
  ['a token of an unknown key', () => ({ head: { kid: 'guessed' } })],
  ['a token of a key that is not endorsed for Teams', () => ({ key: 'unendorsed' })],
  ['an expired token', () => ({ claims: { exp: seconds(-301) } })],
  ['a token that is not good yet', () => ({ claims: { nbf: seconds(330) } })],
  ['a token without an end', () => ({ claims: { exp: undefined } })],
  ['a token for another app', () => ({ claims: { aud: 'ffffffff-bbbb-cccc-dddd-eeeeeeeeeeee' } })],
  ['a token for several apps', () => ({ claims: { aud: [teams.appId, 'other'] } })],
  ['a token of another issuer', () => ({ claims: { iss: 'https://sts.windows.net/evil/' } })],
  ['a token for another service', () => ({ claims: { serviceurl: `${teams.origin}/amer/` } })],
  ['a token without a service', () => ({ claims: { serviceurl: undefined } })],
  [
    'a changed token',
    () => ({ header: teams.header().replace(/.(?=[^.]*$)/, (letter) => (letter === 'A' ? 'B' : 'A')) }),
  ],
  ['a token that is too long', () => ({ claims: { more: 'x'.repeat(10_000) } })],
]
test.each(FORGED)('%s is refused', async (_, forged) => {
  const activity = teams.mention('29:ada', 'how many orders?')
  expect(await read(activity)).toMatchObject({ kind: 'ask' })
  expect(await read(activity, forged())).toBeUndefined()
})

test('a service that is not one of Microsoft is refused, even with a good token', async () => {
  const real = open({ KEN_TEAMS_SERVICES: '' })
  const evil = 'https://smba.trafficmanager.net.evil.example/emea/'
  for (const serviceUrl of [teams.serviceUrl, evil, 'http://smba.trafficmanager.net/emea/', 'file:///etc']) {
    const sent = {
      body: Buffer.from(JSON.stringify(teams.mention('29:ada', 'hi', { serviceUrl }))),
      header: () => teams.header({ claims: { serviceurl: serviceUrl } }),
    }
    expect(await real.read(sent, new Date())).toBeUndefined()
    await expect(
      real.post({ ...place(), team: serviceUrl }, POST, { key: 'k', since: '0', mayBeThere: false }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  }
  const serviceUrl = 'https://smba.trafficmanager.net/emea/'
  const sent = {
    body: Buffer.from(JSON.stringify(teams.mention('29:ada', 'hi', { serviceUrl }))),
    header: () => teams.header({ claims: { serviceurl: serviceUrl } }),
  }
  expect(await real.read(sent, new Date())).toMatchObject({ kind: 'ask', team: 'https://smba.trafficmanager.net/emea' })
  expect(teams.tokens).toEqual([])
})

test('unknown keys do not make Ken read the keys again and again', async () => {
  const before = teams.keysRead
  for (let at = 0; at < 20; at++) await read(teams.mention('29:ada', 'hi'), { head: { kid: `k${at}` } })
  expect(teams.keysRead - before).toBe(1)
  await read(teams.mention('29:ada', 'hi'), { head: { kid: 'new' } }, new Date(Date.now() + 61_000))
  expect(teams.keysRead - before).toBe(2)
})

test('a known key is accepted while keys that a stranger asks for cannot be read', async () => {
  expect(await read(teams.mention('29:ada', 'hi'))).toMatchObject({ kind: 'ask' })
  const asked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  teams.beforeMetadata = async () => {
    asked.resolve()
    await release.promise
    return 503
  }
  const later = new Date(Date.now() + 61_000)
  const stranger = read(teams.mention('29:ada', 'hi'), { head: { kid: 'guessed' } }, later).catch(
    (thrown: unknown) => thrown,
  )
  await asked.promise
  expect(await read(teams.mention('29:ada', 'hi'), {}, later)).toMatchObject({ kind: 'ask' })
  release.resolve()
  expect(await stranger).toMatchObject({ code: 'unavailable' })
  teams.beforeMetadata = undefined
  expect(await read(teams.mention('29:ada', 'hi'), {}, later)).toMatchObject({ kind: 'ask' })
})

test('everything but mentions and buttons in the channels of the tenant is ignored', async () => {
  const mention = teams.mention('29:ada', 'hi')
  const ignored = [
    { ...mention, type: 'messageUpdate' },
    { ...mention, type: 'conversationUpdate' },
    { ...mention, channelId: 'webchat' },
    { ...mention, entities: [] },
    { ...mention, text: '<at>Ken</at>' },
    { ...mention, entities: [{ type: 'mention', mentioned: { id: '29:bob' }, text: '<at>Bob</at>' }] },
    { ...mention, from: { id: '28:another-bot' } },
    { ...mention, from: mention.recipient },
    { ...mention, conversation: { id: 'a:1', conversationType: 'personal' } },
    { ...mention, conversation: { id: '19:x@thread.v2', conversationType: 'groupChat' } },
    { ...mention, conversation: { id: `${teams.channel};messageid=1/../../x`, conversationType: 'channel' } },
    { ...mention, channelData: { tenant: { id: '99999999-2222-3333-4444-555555555555' } } },
    { ...mention, value: { ken: 'delete', about: 'x' } },
  ]
  for (const activity of ignored) expect([activity, await read(activity)]).toEqual([activity, { kind: 'nothing' }])
  const one = open({ KEN_TEAMS_PROJECTS: `${teams.tenant}/19:other@thread.tacv2=${SHOP}` })
  const sent = { body: Buffer.from(JSON.stringify(mention)), header: () => teams.header() }
  expect(await one.read(sent, new Date())).toEqual({ kind: 'nothing' })
  for (const body of ['', '[]', 'null', '{', '7']) expect(await read(body)).toBeUndefined()
})

test('only people of the tenant itself are resolved', async () => {
  expect(await channel.user('29:ada', place())).toEqual({ email: 'Ada@acme.example' })
  expect(await channel.user('29:upn', place())).toEqual({ email: 'bob@acme.example' })
  for (const id of ['29:guest', '29:ext', '29:sync', '29:unnamed', '29:other', '29:nameless', '29:unknown'])
    expect(await channel.user(id, place()), id).toBeUndefined()
})

test('a message is posted as a reply and replaced, with one token for all calls until it is refused', async () => {
  const id = await channel.post(place(), POST, { key: 'k', since: '0', mayBeThere: false })
  await channel.change(place(), id, {
    ...POST,
    markdown: 'Done',
    buttons: ['up', 'down'],
    open: 'https://ken.example/x',
  })
  expect(teams.posted).toMatchObject([{ id, conversation: `${teams.channel};messageid=1700000000001`, updates: 1 }])
  expect(teams.posted[0]!.body).toMatchObject({ type: 'message', summary: 'Done' })
  expect(cardOf(teams.posted[0]!).actions).toEqual([
    { type: 'Action.OpenUrl', title: 'Open in Ken', url: 'https://ken.example/x' },
    { type: 'Action.Submit', title: '👍', data: { ken: 'up', about: 'x' } },
    { type: 'Action.Submit', title: '👎', data: { ken: 'down', about: 'x' } },
  ])
  expect(teams.tokens).toHaveLength(1)
  teams.troubles.push(401)
  await channel.change(place(), id, POST)
  expect(teams.tokens).toHaveLength(2)
  teams.troubles.push(503)
  await expect(channel.change(place(), id, POST)).rejects.toMatchObject({ code: 'unavailable' })
  teams.troubles.push(429)
  await channel.change(place(), id, POST, { isSoonOld: true })
  teams.troubles.push(403)
  await expect(channel.change(place(), id, POST)).rejects.toMatchObject({ code: 'forbidden' })
})

test('a wrong password is refused and never shown', async () => {
  const wrong: unknown = await open({ KEN_TEAMS_APP_PASSWORD: 'guessed~password' })
    .post(place(), POST, { key: 'k', since: '0', mayBeThere: false })
    .catch((thrown: unknown) => thrown)
  expect(wrong).toMatchObject({ code: 'forbidden' })
  expect(JSON.stringify(wrong, Object.getOwnPropertyNames(wrong))).not.toContain('guessed')
})

test('an answer loads no picture, hides no address and is cut to what Teams accepts', async () => {
  const markdown = `![x](https://evil.example/a.png?q=secret) [Microsoft](https://evil.example) ${'é'.repeat(20_000)}`
  const foot = ['`[Microsoft](https://evil.example)`', ...Array.from({ length: 50 }, () => 'f'.repeat(2_000))]
  await channel.post(
    place(),
    { ...POST, markdown, foot, open: 'https://ken.example' },
    { key: 'k', since: '0', mayBeThere: false },
  )
  const [posted] = teams.posted
  expect(textOf(posted!)).not.toContain('![')
  expect(textOf(posted!)).not.toContain('[Microsoft](')
  // Cards show no code, and read links in it.
  const code = '```\n[Microsoft](https://evil.example)\n```\n`[Microsoft](https://evil.example)` [a](evil.example)'
  await channel.post(place(), { ...POST, markdown: code }, { key: 'k2', since: '0', mayBeThere: false })
  expect(textOf(teams.posted[1]!)).not.toContain('](')
  expect(Buffer.byteLength(JSON.stringify(posted!.body))).toBeLessThan(28_000)
  expect(cardOf(posted!).actions[0].title).toBe('Cut here: open all of it in Ken')
})

test('a line for one person is a personal message, and is left out if none can be sent', async () => {
  await channel.whisper(place(), '29:ada', 'Only you.')
  await channel.whisper(place(), '29:unknown', 'Only you.')
  expect(teams.whispers).toEqual([{ user: '29:ada', text: 'Only you.' }])
  expect(teams.posted).toEqual([])
})

test('a server does not start with settings that cannot work, and shows no secret', () => {
  const failure = (more: Record<string, string | undefined>): string => {
    try {
      openChannels({ ...teams.environment(SHOP), ...more })
    } catch (thrown) {
      return (thrown as { line: string }).line
    }
    return ''
  }
  expect(openChannels({}).size).toBe(0)
  expect(failure({ KEN_TEAMS_APP_ID: '' })).toContain('KEN_TEAMS_APP_ID')
  expect(failure({ KEN_TEAMS_PROJECTS: `${teams.tenant}=${SHOP},${teams.tenant}=${LAB}` })).toContain(
    `KEN_TEAMS_APP_ID_${LAB}`,
  )
  expect(failure({ KEN_TEAMS_PROJECTS: 'acme=shop' })).toContain('KEN_TEAMS_PROJECTS has an invalid entry')
  expect(failure({ KEN_TEAMS_SERVICES: 'http://smba.example' })).toContain('KEN_TEAMS_SERVICES must use https.')
  expect(failure({ KEN_TEAMS_METADATA_URL: 'http://keys.example' })).toContain('must use https')
  const slack = { KEN_SLACK_PROJECTS: `T1=${SHOP}`, KEN_SLACK_BOT_TOKEN: 'xoxb-1', KEN_SLACK_SIGNING_SECRET: 's' }
  expect(failure(slack)).toContain('A project answers in one of them.')
  expect(failure(slack)).not.toContain('password')
})
