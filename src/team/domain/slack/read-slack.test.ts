import { expect, test } from 'vitest'
import { readSlack } from './read-slack.ts'
import { readSlackProjects } from './slack-apps.ts'

const HOME = { team: 'T1TEAM', channels: ['C1'] }
const event = (more: object, outer: object = {}) =>
  readSlack(
    {
      type: 'event_callback',
      team_id: 'T1TEAM',
      authorizations: [{ user_id: 'UBOT', is_bot: true }],
      event: {
        type: 'app_mention',
        user: 'U1',
        channel: 'C1',
        ts: '10.1',
        text: '<@UBOT> how many &lt;b&gt;?',
        ...more,
      },
      ...outer,
    },
    HOME,
  )

test('a mention becomes a question without the name of the app', () => {
  expect(event({})).toMatchObject({
    kind: 'ask',
    words: 'how many <b>?',
    thread: '10.1',
    isMention: true,
    isReply: false,
  })
  expect(event({ thread_ts: '9.1' })).toMatchObject({ thread: '9.1', isReply: true, id: 'T1TEAM/C1/10.1' })
})

test('ignores messages from programs, other workspaces and other channels, and empty texts', () => {
  const nothing = { kind: 'nothing' }
  expect(event({ bot_id: 'B1' })).toEqual(nothing)
  expect(event({ subtype: 'message_changed' })).toEqual(nothing)
  expect(event({ channel: 'C2' })).toEqual(nothing)
  expect(event({}, { team_id: 'T2TEAM' })).toEqual(nothing)
  expect(event({ text: '<@UBOT>' })).toEqual(nothing)
  expect(event({ user: 'UBOT' })).toEqual(nothing)
  for (const odd of [null, 7, 'x', [], {}, { type: 'event_callback' }, { type: 'block_actions', actions: [] }])
    expect(readSlack(odd, HOME)).toEqual(nothing)
})

test('a message without a mention counts only as a reply with text in a thread', () => {
  expect(event({ type: 'message', thread_ts: '9.1', text: 'and last year?' })).toMatchObject({ isMention: false })
  expect(event({ type: 'message', text: 'hello all' })).toEqual({ kind: 'nothing' })
  expect(event({ type: 'message', thread_ts: '9.1' })).toEqual({ kind: 'nothing' })
})

test('maps each place to one project, and rejects ambiguous or malformed settings', () => {
  const [one, two] = ['01J00000000000000000000001', '01J00000000000000000000002']
  expect([...readSlackProjects(`T1/C1=${one}, T1/C2=${one},T2=${two}`)]).toEqual([
    [one, { team: 'T1', channels: ['C1', 'C2'] }],
    [two, { team: 'T2', channels: [] }],
  ])
  for (const wrong of ['T1', `T1=${one},T2=${one}`, `T1=${one},T1/C1=${one}`, `C1=${one}`, 'T1=shop'])
    expect(() => readSlackProjects(wrong)).toThrow('KEN_SLACK_PROJECTS')
})
