import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useAskDesk } from './ask-desk.ts'

// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')
const SQL = 'SELECT city, sum(amount) AS revenue FROM orders GROUP BY city ORDER BY revenue DESC'
const ESCAPES = 'Beware \u001b]0;owned\u0007 of \u202Etxt.\u001b[2J'
const desk = useAskDesk({
  'Revenue by city?': [
    { calls: [{ tool: 'describe_table', input: { table: 'orders' } }] },
    { calls: [{ tool: 'execute_sql', input: { sql: SQL } }] },
    {
      say: 'Oslo leads with **35**, then Bern with 30.\n\n| city | revenue |\n| --- | ---: |\n| Oslo | 35 |\n| Bern | 30 |\n| Rome | 7 |\n',
      call: { tool: 'suggest_follow_ups', input: { questions: ['And by month?', 'Why Oslo?'] } },
    },
  ],
  'by city': [
    { calls: [{ tool: 'describe_table', input: { table: 'orders' } }] },
    { calls: [{ tool: 'execute_sql', input: { sql: SQL } }] },
    {
      say: '## Revenue\n\nOslo leads with **35**.\n\n| city | revenue |\n| --- | ---: |\n| Oslo | 35 |\n| Bern | 30 |\n',
      call: { tool: 'suggest_follow_ups', input: { questions: ['And by month?', 'Why Oslo?'] } },
    },
  ],
  'which revenue': [
    {
      call: {
        tool: 'clarify',
        input: { question: 'Before or after refunds?', options: ['before refunds', 'after refunds'] },
      },
    },
  ],
  'after refunds': [{ say: 'After refunds it is 72.' }],
  'Why Oslo?': [{ say: 'Because of order 3.' }],
  'escape me': [{ say: ESCAPES }],
  'go on and on': [{ say: 'and on '.repeat(10_000), slow: 20 }],
  two: [{ say: 'Both lines came.' }],
  '/weekly': [{ say: 'weekly it is.' }],
})

atDesk(
  'shows steps as dim lines, the answer as Markdown, and the cost at the end',
  async () => {
    const { text, raw, code } = await desk.sit(['ask', 'Orders by city?'])
    const shown = settled(text)
    expect(shown).toMatch(
      /· with table main\.orders\n· looked at orders\n· ran SQL: 3 rows(?:, [\d.]+ s)?\n\nRevenue\n\nOslo leads with 35\.\n\n {2}city {2}revenue\n {2}Oslo {7}35\n {2}Bern {7}30\n\n✓ 35: checked against q_[0-9a-f]{12}\n\nAsk next:\n {2}1 {2}And by month\?\n {2}2 {2}Why Oslo\?\n/,
    )
    expect(shown).toMatch(/compatible:scripted, untrusted · 3 steps · \d+ tokens in, \d+ out · [\d.]+ s\n$/)
    expect(raw).toContain('\u001b[1mRevenue')
    expect(code).toBe(0)
    const verbose = await desk.sit(['ask', 'Orders by city?', '--verbose'])
    expect(settled(verbose.text)).toContain(`    ${SQL}\n`)
  },
  120_000,
)

atDesk(
  'the guide shows the screen as it is',
  async () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'guides', 'ask.md'), 'utf8')
    const shown = /<!-- ask:start -->\n```\n\$ ken ask "([^"]+)"\n([\s\S]*?)```/.exec(page)
    const { text } = await desk.sit(['ask', shown![1]!])
    const steady = (screen: string) =>
      screen
        .replaceAll(/,? ?\d+\.\d s$/gm, '')
        .replaceAll(/\d+ tokens in, \d+ out ·/g, 'tokens')
        .replaceAll(/q_[0-9a-f]{12}/g, 'q')
    expect(steady(settled(text))).toBe(steady(shown![2]!))
  },
  120_000,
)

atDesk(
  'asks the person to choose by number',
  async () => {
    const { text, code } = await desk.sit(['ask', 'which revenue?'], { answers: [['> ', '2\r']] })
    expect(settled(text)).toMatch(
      /Before or after refunds\?\n {2}1 {2}before refunds\n {2}2 {2}after refunds\n[\s\S]*After refunds it is 72\./,
    )
    expect(code).toBe(0)
    const left = await desk.sit(['ask', 'which revenue?'], { answers: [['> ', '\u0004']] })
    expect(settled(left.text)).toContain('The chat goes on with `ken ask --continue "…"`.')
  },
  120_000,
)

atDesk(
  'model output cannot control the terminal',
  async () => {
    const { raw } = await desk.sit(['ask', 'escape me'])
    expect(raw).toContain(String.raw`\u{1b}]0;owned\u{7}`)
    expect(raw).not.toContain('\u001b]0')
    expect(raw).not.toContain('\u001b[2J')
    expect(raw).not.toContain('\u202e')
  },
  120_000,
)

atDesk(
  'Ctrl-C stops the answer at once and shows how to continue',
  async () => {
    const { text, code } = await desk.sit(['ask', 'go on and on'], { answers: [['and on and', '\u0003']] })
    expect(code).toBe(130)
    expect(text).toContain('Stopped. The chat goes on with `ken ask --continue "…"`.')
    expect(desk.model.requests.at(-1)!.aborted).toBe(true)
    const next = await desk.piped(['ask', '-c', 'Why Oslo?'])
    expect(next.stdout).toContain('Because of order 3.')
    expect(desk.model.requests.at(-1)!.said).toContain('go on and on')
  },
  120_000,
)

test('prints only the answer to a pipe, as JSON or events if requested', async () => {
  const plain = await desk.piped(['ask', 'two lines'], 'first\nsecond\n')
  expect(plain).toMatchObject({ status: 0, stderr: '' })
  expect(plain.stdout).toMatch(/^<ken-context[^\n]*origin="analyst"[^\n]*>\nBoth lines came\.\n<\/ken-context/)
  expect(desk.model.requests.at(-1)!.user).toContain('two lines\n\nfirst\nsecond')
  const json = JSON.parse((await desk.piped(['ask', 'Why Oslo?', '--json'])).stdout)
  expect(json).toMatchObject({ text: 'Because of order 3.', end: 'answered', model: 'compatible:scripted' })
  for (const flags of [['--events'], ['--json', '--stream']]) {
    const { stdout } = await desk.piped(['ask', 'Why Oslo?', ...flags])
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['message', 'part', 'end', 'answer']))
    expect(events.at(-1)).toMatchObject({ type: 'answer', answer: { text: 'Because of order 3.' } })
  }
  const none = await desk.piped(['ask'])
  expect(none.status).toBe(2)
}, 120_000)

atDesk(
  'the prompt completes names, continues lines, runs commands and keeps a history',
  async () => {
    const { text, code } = await desk.sit(['ask'], {
      answers: [
        ['ask> ', 'Revenue by city of @main.o\t'],
        ['@main.orders', '\r'],
        ['Why Oslo?', '2\r'],
        ['Because of order 3.', '/sq\t'],
        ['/sql', '\r'],
        ['ask> ', 'two \\\r'],
        ['...> ', 'lines\r'],
        ['Both lines came.', '\u001b[200~two lines\r\nthen\tmore\u001b[201~'],
        ['then', '\r'],
        ['Both lines came.', '/weekly please\r'],
        ['weekly it is.', '/nonsense\r'],
        ['There is no /nonsense', '/chart x.png\r'],
        ['No charts in this chat', '/model nonsense\r'],
        ['ken:', 'go on and on\r'],
        ['and on and', '\u0003'],
        ['Stopped.', '\u0003'],
        ['Ctrl-C once more leaves.', '\u0003'],
      ],
    })
    const shown = settled(text)
    expect(shown).toContain('> Why Oslo?')
    expect(shown).toContain(SQL)
    expect(desk.model.requests.some(({ user }) => user.startsWith('two \nlines'))).toBe(true)
    expect(desk.model.requests.some(({ user }) => user.startsWith('two lines\nthen  more'))).toBe(true)
    expect(desk.model.requests.some(({ said }) => said.includes('Say weekly first.'))).toBe(true)
    expect(code).toBe(0)
    const history = readFileSync(join(desk.env['KEN_HOME']!, 'ask-history'), 'utf8')
    expect(history.split('\n').slice(0, 4)).toEqual([
      'Revenue by city of @main.orders',
      '2',
      'two ↵lines',
      'two lines↵then  more',
    ])
    expect(statSync(join(desk.env['KEN_HOME']!, 'ask-history')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(desk.place, 'x.png'))).toBe(false)
    const again = await desk.sit(['ask', '--continue'], {
      answers: [
        ['ask> ', '\u001b[A'],
        ['go on and on', '\u0003'],
        ['ask> ', '\u0004'],
      ],
    })
    expect(again.code).toBe(0)
  },
  180_000,
)

/** The final screen: redrawn lines are gone. */
const settled = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r\u001b[K') + 1).replace('\u001b[K', ''))
    .join('\n')
