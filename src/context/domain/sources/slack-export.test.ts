import { describe, expect, test } from 'vitest'
import { readSlackChannels, readSlackDay, readSlackUsers, slackPages } from './slack-export.ts'
import { mrkdwnToMarkdown } from './slack-mrkdwn.ts'

const users = readSlackUsers([
  { id: 'U1', name: 'ada', profile: { display_name: 'Ada', email: 'ada@acme.example', phone: '+49 30 123456' } },
  { id: 'U2', name: 'bob.b', profile: { display_name: 'bob@acme.example', real_name: '+49 30 1234567' } },
  { id: 'U3', name: 'deploybot', is_bot: true, profile: { real_name: 'Deploys' } },
])
const names = { user: (id: string) => users.get(id)?.name, channel: () => 'general' }

test.each([
  ['*bold* and ~gone~, 2*3*4', '**bold** and ~~gone~~, 2*3*4'],
  ['<@U1> saw <#C1|old-name>, <!here> <!subteam^S1|@data>', '@Ada saw #general, @here @data'],
  ['<https://a.example/x|the doc> <https://b.example>', '[the doc](https://a.example/x) <https://b.example>'],
  ['a &lt;b&gt; &amp;amp; `*x* &lt;`', 'a <b> &amp; `*x* <`'],
  ['see ```SELECT *\nFROM a``` there', 'see \n```\nSELECT *\nFROM a\n```\n there'],
  ['<javascript:alert(1)|x>', '<javascript:alert(1)|x>'],
])('converts Slack mrkdwn: %s', (given, expected) => {
  expect(mrkdwnToMarkdown(given, names)).toBe(expected)
})

describe('Slack channel pages', () => {
  const [channel] = readSlackChannels(
    [{ id: 'C1', name: 'data', topic: { value: 'Tables' }, purpose: { value: 'Tables' } }],
    users,
  )!
  const at = (day: string, time: string): string => String(Date.parse(`${day}T${time}:00Z`) / 1000)
  const root = at('2026-01-31', '10:00')
  const said = readSlackDay([
    { type: 'message', user: 'U1', ts: root, thread_ts: root, text: 'Which table?' },
    { type: 'message', user: 'U2', ts: at('2026-02-02', '09:00'), thread_ts: root, text: '`orders`\n\nsince May' },
    { type: 'message', user: 'U1', ts: at('2026-01-31', '11:00'), text: '', files: [{ name: 'a.pdf' }] },
    { type: 'message', subtype: 'channel_join', user: 'U2', ts: at('2026-01-31', '12:00'), text: 'has joined' },
    { type: 'message', subtype: 'bot_message', ts: at('2026-01-31', '12:00'), text: 'deployed', username: 'ci' },
    { type: 'message', user: 'U3', ts: at('2026-01-31', '12:01'), text: 'deployed' },
    {
      type: 'message',
      user: 'U9',
      user_profile: { real_name: 'Guest' },
      ts: at('2026-02-03', '08:30'),
      thread_ts: '1.0',
      text: 'done',
      reactions: [{ name: 'tada', count: 2 }],
    },
    { type: 'message', user: 'U1', ts: 'not a time', text: 'lost' },
    'not a message',
  ])!
  const rules = { users, channels: new Map<string, string>(), bots: false, reactions: false }

  test('places a thread at its first message, and omits apps and join messages', () => {
    expect(slackPages(channel!, said, rules)).toEqual([
      {
        name: '2026-01',
        text: '# #data 2026-01\n\nTables\n\n## 2026-01-31\n- 10:00 Ada: Which table?\n  - 2026-02-02 09:00 bob.b: `orders`\n    since May\n- 11:00 Ada: [file: a.pdf]\n',
      },
      { name: '2026-02', text: '# #data 2026-02\n\nTables\n\n## 2026-02-03\n- 08:30 Guest: done\n' },
    ])
  })

  test('includes apps and reactions on request', () => {
    const text = slackPages(channel!, said, { ...rules, bots: true, reactions: true })
      .map((page) => page.text)
      .join('')
    expect(text).toContain('- 12:00 ci: deployed\n- 12:01 Deploys: deployed')
    expect(text).toContain('done (:tada: 2)')
  })

  test('continues an overlong month in another part, without loss', () => {
    const long = Array.from({ length: 300 }, (_, i) => ({
      ...said[0]!,
      ts: String(Number(root) + i),
      thread: undefined,
      text: `m${i} ${'x'.repeat(1000)}`,
    }))
    const pages = slackPages(channel!, long, rules)
    expect(pages.map(({ name }) => name)).toEqual(['2026-01', '2026-01-2', '2026-01-3', '2026-01-4'])
    expect(pages[1]!.text).toMatch(/^# #data 2026-01 \(2 of 4\)\n\nTables\n\n## 2026-01-31\n- 10:01 Ada: m/)
    const all = pages.map(({ text }) => text).join('')
    for (const i of long.keys()) expect(all).toContain(`: m${i} `)
  })
})
