import { readdirSync, rmSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTranscriptDesk, type Transcript, type TranscriptDesk } from '../analyst/transcript-desk.ts'
import { atTerminal } from '../pseudo-terminal.ts'
import type { ModelRequest, ScriptedStep } from '../scripted-model.ts'
import { makeShop, ownSqlite } from '../shop-database.ts'
import { until } from '../upkeep/until.ts'

// Transcripts of `ken test` at a real terminal, as a user sees it. KEN_TRANSCRIPTS=write rewrites them.
const atDesk = test.skipIf(process.platform === 'win32')

const SHOP = `- name: Number of orders
  kind: sql
  tags: [orders]
  prompt: How many orders are there?
  sql: SELECT count(*) AS orders FROM orders
- name: Says how many
  kind: answer
  tags: [orders]
  prompt: Tell me about our orders.
  assert: [{ contains: orders }, { number: 60 }]
- name: Looks before it asks
  kind: action
  prompt: Which tables do we have?
  called: [list_tables]
  not_called: [execute_sql]
`
const RECORD = `- name: Finds why jobs are in Postgres
  kind: retrieval
  query: background jobs in a table
  wanted: [D5]
- name: A broker is caught
  kind: decision
  proposal: Use RabbitMQ for background jobs
  surfaces: [5]
  verdict: strong
- name: Euros are remembered
  kind: memory
  conversation: [From now on show amounts in euros.]
  expected: [{ contains: [euros] }]
- name: The datastore survives a small brief
  kind: context
  budget: 600
  for: add a cache in front of the shop
  facts: [Postgres]
`

/** Answers each question of the cases correctly, unless a scene overrides the answer. */
const analyst =
  (statement = 'SELECT count(*) AS n FROM orders', words = 'There are 60 orders.') =>
  ({ user, answers }: ModelRequest): ScriptedStep => {
    const isFirst = answers.length === 0
    if (user.includes('How many orders'))
      return isFirst ? { call: { tool: 'execute_sql', input: { sql: statement } } } : words
    if (user.includes('Which tables')) return isFirst ? { call: { tool: 'list_tables', input: {} } } : 'Those.'
    return words
  }

let desk: TranscriptDesk
let said: Transcript
beforeAll(async () => {
  desk = await openTranscriptDesk('test')
  const database = ownSqlite(join(desk.folder, 'shop.db'))
  await makeShop(database, 'sqlite')
  await database.close()
  desk.write('ken.yaml', 'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n')
  for (const words of [['init', 'shop', '--demo'], ['sync']]) {
    const { code, text } = await atTerminal(words, { cwd: desk.folder, env: desk.env })
    expect(code, text).toBe(0)
  }
}, 120_000)
afterAll(() => desk.close())

beforeEach(() => {
  rmSync(join(desk.folder, 'tests'), { recursive: true, force: true })
  desk.model.requests.length = 0
  said = desk.open()
})
// Whatever the outcome, no case leaves anything behind.
afterEach(() => expect(apart()).toEqual([]))

const apart = (): string[] => readdirSync(join(desk.env['KEN_HOME']!, 'apart'))
/** The questions that reached the model, each once however many steps its answer took. */
const asked = (): string[] =>
  desk.model.requests.filter(({ answers }) => answers.length === 0).map(({ user }) => user.split('<')[0]!.trim())

atDesk('all kinds pass', async () => {
  desk.write('tests/shop.yaml', SHOP)
  desk.write('tests/record/decided.yaml', RECORD)
  said.tell('What there is to run.')
  await said.type(['test', 'list'])
  said.tell('One case after the other, so that the bar moves in one order.')
  await said.type(['test', '--threads', '1'], { script: analyst() })
  said.tell('What was run before.')
  await said.type(['test', 'runs'])
  await said.type(['test', 'show', '--case', 'looks'])
  said.tell('Nothing of it is a chat, and nothing was learned.')
  await said.type(['chats'])
  await said.type(['memories'])
  said.keep('passed')
})

atDesk('reports a failure with the differing cells', async () => {
  desk.write('tests/shop.yaml', SHOP)
  desk.write(
    'tests/months.yaml',
    `- name: Orders of each user
  kind: sql
  prompt: How many orders has each user?
  sql: SELECT user_id, count(*) AS orders FROM orders GROUP BY 1
`,
  )
  said.tell('A statement that counts one too many for some, and leaves one out.')
  const wrong = 'SELECT user_id, count(*) + (user_id = 3) AS n FROM orders WHERE user_id <> 4 GROUP BY 1'
  await said.type(['test'], {
    script: (request) => (request.user.includes('each user') ? sqlStep(request, wrong) : analyst()(request)),
  })
  said.tell('Once it is mended, only what failed is run again.')
  await said.type(['test', '--failed'], {
    script: (request) => sqlStep(request, 'SELECT user_id AS who, count(*) AS many FROM orders GROUP BY 1'),
  })
  said.tell('Then nothing has failed.')
  await said.type(['test', '--failed'])
  said.keep('failed')
})

const sqlStep = ({ answers }: ModelRequest, sql: string): ScriptedStep =>
  answers.length === 0 ? { call: { tool: 'execute_sql', input: { sql } } } : 'See the table.'

atDesk('reports broken cases separately from failures', async () => {
  desk.write('tests/shop.yaml', SHOP)
  desk.write(
    'tests/broken.yaml',
    `- name: Writes
  prompt: How many orders are there?
  sql: DELETE FROM orders
- name: A table that is not there
  prompt: How many orders are there?
  sql: SELECT * FROM nowhere
- name: A slip
  promt: How many orders are there?
  sql: SELECT 1
- name: No such kind
  kind: quiz
- name: Expects nothing
  kind: answer
  prompt: Tell me about our orders.
`,
  )
  desk.write('tests/torn.yaml', '- name: [unclosed\n')
  await said.type(['test', 'list', 'slip', 'orders'])
  await said.type(['test', '--threads', '1'], { script: analyst() })
  said.keep('broken')
})

atDesk('reports a case that passes only sometimes', async () => {
  desk.write('tests/shop.yaml', SHOP)
  let at = 0
  const flaky = (request: ModelRequest): ScriptedStep =>
    request.user.includes('Tell me') ? (at++ % 3 === 1 ? 'I do not know.' : 'There are 60 orders.') : analyst()(request)
  said.tell('Each case three times; one answer of three is wrong.')
  await said.type(['test', '-k', '3', '-t', '1', 'how many', 'looks'], { script: flaky })
  said.tell('Where two of three are enough, it passes.')
  desk.write('tests/shop.yaml', SHOP.replaceAll('  tags: [orders]\n', '  tags: [orders]\n  runs: 3\n  need: 2\n'))
  at = 0
  await said.type(['test', '-t', '1', '--tag', 'orders'], { script: flaky })
  said.keep('flaky')
})

atDesk('fails only on regressions from a baseline', async () => {
  desk.write('tests/shop.yaml', SHOP)
  const known = analyst('SELECT count(*) + 1 AS n FROM orders')
  said.tell('One case is known to fail.')
  await said.type(['test'], { script: known })
  said.tell('It fails as before: no regression.')
  await said.type(['test', '--baseline', 'last'], { script: known })
  said.tell('Another one fails that passed then.')
  await said.type(['test', '--baseline', 'last'], {
    script: analyst('SELECT count(*) AS n FROM orders', 'I do not know.'),
  })
  said.tell('One that there is not costs no run.')
  await said.type(['test', '--baseline', 'nothing.json'])
  said.keep('baseline')
})

atDesk('continues a stopped run', async () => {
  desk.write('tests/shop.yaml', SHOP)
  said.tell('Ctrl-C while the model thinks about the second case.')
  await said.type(['test', '-t', '1'], {
    script: (request) => (request.user.includes('Tell me') ? { silence: true } : analyst()(request)),
    answers: [['1/3', '\u0003']],
  })
  said.tell('It goes on, and asks nothing twice.')
  desk.model.requests.length = 0
  await said.type(['test', '-t', '1', '--resume'], { script: analyst() })
  expect(asked()).toEqual(['Tell me about our orders.', 'Which tables do we have?'])
  said.tell('Then there is nothing left to go on with.')
  await said.type(['test', '--resume'])
  said.keep('stopped')
})

atDesk('continues a run whose process was killed', async () => {
  desk.write('tests/shop.yaml', SHOP)
  said.tell('The process is killed (kill -9) while the model thinks about the second case.')
  await said.type(['test', '-t', '1'], {
    script: (request) => (request.user.includes('Tell me') ? { silence: true } : analyst()(request)),
    answers: [
      [
        '1/3',
        async (pid) => {
          await until('the second question', async () => asked().length === 2)
          process.kill(pid, 'SIGKILL')
          return ''
        },
      ],
    ],
  })
  const [left] = apart()
  // A leftover may belong to a run in progress elsewhere until a day has passed.
  const days = Date.now() / 1000 - 2 * 86_400
  utimesSync(join(desk.env['KEN_HOME']!, 'apart', left!), days, days)
  await said.type(['test', 'runs', '--limit', '1'], { columns: 120 })
  said.tell('It goes on, asks nothing twice, and what lay about is swept away.')
  desk.model.requests.length = 0
  await said.type(['test', '-t', '1', '--resume'], { script: analyst() })
  expect(asked()).toEqual(['Tell me about our orders.', 'Which tables do we have?'])
  said.keep('killed')
})

const PRICED = { KEN_MODEL: 'anthropic:claude-sonnet-4-5' }

atDesk('stops at the spending limit', async () => {
  desk.write('tests/shop.yaml', SHOP)
  said.tell('Nothing more is begun once the money is spent.')
  await said.type(['test', '-t', '1', '--max-cost', '0.0001'], { env: PRICED, script: analyst() })
  said.tell('With more of it, it goes on.')
  await said.type(['test', '-t', '1', '--max-cost', '1', '--resume'], { env: PRICED, script: analyst() })
  said.tell('Where nobody knows a price, that is said.')
  await said.type(['test', '-t', '1', '--max-cost', '1'], { script: analyst() })
  said.keep('cost')
})

atDesk('compares two models', async () => {
  desk.write('tests/shop.yaml', SHOP)
  desk.write('tests/record.yaml', RECORD)
  await said.type(
    ['test', '-m', 'compatible:scripted', '-m', 'compatible:another', '--kind', 'answer', '--kind', 'decision'],
    {
      script: (request) => (request.body.model === 'another' ? 'I do not know.' : 'There are 60 orders.'),
    },
  )
  said.tell('A slip in a name costs no run.')
  await said.type(['test', '-m', 'gpt5'])
  await said.type(['test', '-m', 'agent:clod'])
  said.keep('models')
})

atDesk('reports missing cases and a missing model', async () => {
  said.tell('No tests.')
  await said.type(['test'])
  await said.type(['test', 'list'])
  said.tell('Drafts alone.')
  desk.write('tests/draft.yaml', '- name: Margin\n  tags: [draft]\n  prompt: What is our margin?\n')
  await said.type(['test'])
  said.tell('No model.')
  desk.write('tests/shop.yaml', SHOP)
  desk.write('tests/record.yaml', RECORD)
  const none = { KEN_MODEL: '', KEN_MODEL_URL: '', ANTHROPIC_API_KEY: '' }
  await said.type(['test'], { env: none })
  await said.type(['test', '--kind', 'retrieval', '--kind', 'decision', '--kind', 'memory', '--kind', 'context'], {
    env: none,
  })
  said.tell('No such case.')
  await said.type(['test', 'margins'])
  await said.type(['test', '--tag', 'finance'])
  await said.type(['test', '--kind', 'quiz'])
  await said.type(['test', '--threads', '0'])
  said.tell('No project.')
  await said.type(['test'], { cwd: desk.place })
  said.keep('nothing')
})
