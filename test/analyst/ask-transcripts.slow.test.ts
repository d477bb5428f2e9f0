import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeShop } from '../../scripts/demo-shop.ts'
import { openSqliteAnalystState } from '../../src/database/state/sqlite/analyst-state.ts'
import { openRealDesk } from '../agent-clients/real-desk.ts'
import { foldersIn, programOf } from '../clients/client-matrix.ts'
import { REAL_CLIENTS } from '../clients/real-clients.ts'
import { newDatabase } from '../postgres/run-server.ts'
import { atTerminal } from '../pseudo-terminal.ts'
import { ownPostgres } from '../shop-database.ts'
import { until } from '../upkeep/until.ts'
import { lastQuery, openTranscript, openTranscriptDesk, type TranscriptDesk } from './transcript-desk.ts'

// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')
const ANTHROPIC = { KEN_MODEL: 'anthropic:claude-sonnet-4-5' }
const sql = (text: string) => ({ call: { tool: 'execute_sql', input: { sql: text } } })
const BY_COUNTRY =
  'SELECT c.country, sum(o.total) AS revenue FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY 1 ORDER BY 2 DESC'

let desk: TranscriptDesk
beforeAll(async () => {
  desk = await openTranscriptDesk()
  await makeShop(join(desk.folder, 'shop.duckdb'), 800)
  desk.write('ken.yaml', 'name: shop\ndatabases:\n  - { name: shop, type: duckdb, path: shop.duckdb }\n')
  for (const [skill, rule] of [
    ['weekly', 'Compare with the week before.'],
    ['margin', 'Margin is revenue without what the goods cost.'],
  ])
    desk.write(
      `agent/skills/${skill}/SKILL.md`,
      `---\nname: ${skill}\ndescription: How the ${skill} report is made.\n---\n\n${rule}\n`,
    )
  const synced = await atTerminal(['sync'], { cwd: desk.folder, env: desk.env })
  expect(synced.code, synced.text).toBe(0)
}, 120_000)
afterAll(() => desk.close())

atDesk('answers with a chart whose numbers are checked', async () => {
  const said = desk.open()
  said.tell('A question becomes a chart. The number in the answer is checked against the cell that it came from.')
  const screen = await said.type(['ask', 'Which country brings the most revenue?'], {
    script: [
      sql(BY_COUNTRY),
      (request) => ({
        call: {
          tool: 'display_chart',
          input: {
            query_id: lastQuery(request),
            chart_type: 'bar',
            x_axis_key: 'country',
            series: [{ data_key: 'revenue' }],
            title: 'Revenue by country',
          },
        },
      }),
      (request) => {
        const [, country, revenue] = /\| (\w\w) \| ([\d.]+) \|/.exec(request.said)!
        return {
          say: `${country} leads with [${revenue}](${lastQuery(request)}.revenue).`,
          call: { tool: 'suggest_follow_ups', input: { questions: ['And by month?', 'Without what was returned?'] } },
        }
      },
    ],
  })
  expect(screen).toMatch(/█/)
  said.tell('The chat is kept, and can be looked at again.')
  expect(await said.type(['chats', 'show', 'last'])).not.toContain('](q_')
  said.keep('chart')
})

atDesk('corrects a wrong statement by the engine’s message', async () => {
  const said = desk.open()
  said.tell('The first statement names a column that there is not. The engine says so, and the next one runs.')
  await said.type(['ask', 'How much was returned?', '--verbose'], {
    env: ANTHROPIC,
    script: [
      sql("SELECT sum(amount) AS returned FROM orders WHERE status = 'returned'"),
      sql("SELECT sum(total) AS returned FROM orders WHERE status = 'returned'"),
      (request) =>
        `Orders worth [${/\| ([\d.]+) \|/.exec(request.answers.at(-1)!.text)![1]}](${lastQuery(request)}.returned) came back.`,
    ],
  })
  said.keep('repaired')
})

atDesk('sends the skills and tables that a question mentions to the model', async () => {
  const said = desk.open()
  said.tell('What a question names with / and @ is put before the model, beside the words of the person.')
  await said.type(['ask', '/weekly /margin for @orders and @order_lines, as in @ordr_lines'], {
    env: ANTHROPIC,
    script: ['Then I compare the margin with that of the week before.'],
  })
  const { said: told } = desk.model.requests.at(-1)!
  for (const words of ['Compare with the week before.', 'without what the goods cost', 'ordered_at', 'unit_price'])
    expect(told).toContain(words)
  expect(told).toContain('/weekly /margin for @orders and @order_lines, as in @ordr_lines')
  said.keep('mentions')
})

atDesk('refuses a write from the model and from the person', async () => {
  const said = desk.open()
  said.tell('Nothing is written, and the model is told why.')
  await said.type(['ask', 'Delete all orders that were returned.'], {
    script: [
      sql("DELETE FROM orders WHERE status = 'returned'"),
      sql('SELECT 1; DROP TABLE orders'),
      'I can only read. Nothing was deleted.',
    ],
  })
  const left = await said.type(['sql', 'SELECT count(*) AS orders FROM orders'])
  expect(left).toContain('800')
  said.keep('refused-write')
})

atDesk('reports a provider that fails, is slow or sends garbage', async () => {
  const said = desk.open()
  said.tell('A provider that fails once is asked once more.')
  await said.type(['ask', 'Are you there?'], { script: [{ fail: 503 }, 'Yes, I am.'] })
  said.tell('One that fails twice ends the answer.')
  await said.type(['ask', 'Are you there?'], { env: ANTHROPIC, script: [{ fail: 529 }, { fail: 529 }] })
  said.tell('One that refuses the key is not asked again.')
  await said.type(['ask', 'Are you there?'], { env: ANTHROPIC, script: [{ fail: 401 }] })
  said.tell('What was said before the line went dead is said anew.')
  await said.type(['ask', 'Tell me a story.'], {
    script: [{ say: 'Once upon a time there was a shop.', cut: 16 }, 'Once there was a shop, and it sold kettles.'],
  })
  said.tell('Garbage is no answer.')
  await said.type(['ask', 'Are you there?'], { script: [{ garbage: true }, { garbage: true }] })
  said.tell('A slow one is waited for, but not longer than was allowed.')
  await said.type(['ask', 'Are you there?'], { env: ANTHROPIC, script: [{ say: 'I take my time.', slow: 300 }] })
  await said.type(['config', 'set', 'analyst.seconds', '2'])
  await said.type(['ask', 'Are you there?'], { script: [{ silence: true }] })
  await said.type(['config', 'unset', 'analyst.seconds'])
  said.keep('provider')
})

atDesk('continues a chat after the process was killed', async () => {
  const said = desk.open()
  const story = 'We sell copper kettles, enamel kettles and'
  said.tell('The process is killed in the middle of an answer (kill -9).')
  await said.type(['ask', 'Which kettles do we sell?'], {
    // Slower than the log is written, so that it contains each word.
    script: [{ say: story, slow: 300, silence: true }],
    answers: [
      [
        'kettles and',
        async (pid) => {
          await until('the answer in the log', async () => (await lastWords()) === story)
          process.kill(pid, 'SIGKILL')
          return ''
        },
      ],
    ],
  })
  said.tell('The next process knows the question and as much of the answer as was said; that is ended as cut.')
  await said.type(['ask', '--continue', 'And which are the best?'], { script: ['The copper ones.'] })
  const { messages } = desk.model.requests.at(-1)!
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(messages[0]!.text).toContain('Which kettles do we sell?')
  expect(messages[1]!.text).toContain(story)
  expect(await said.type(['chats', 'show', 'last'])).toContain('Cut off by a crash.')
  said.keep('killed')
})

/** Last text of the most recently written chat. */
async function lastWords(): Promise<string | undefined> {
  const state = await openSqliteAnalystState(join(desk.env['KEN_HOME']!, 'state.db'))
  try {
    const [chat] = await state.chats.list({ user: 'local', limit: 1 })
    const last = (await state.log.parts(chat!.id, 0)).at(-1)?.part
    return last?.kind === 'text' ? last.text : undefined
  } finally {
    await state.close()
  }
}

atDesk('a stop ends the running query in PostgreSQL', async () => {
  const server = await newDatabase()
  const owner = ownPostgres({ host: server.host, port: server.port, database: server.database, user: server.user })
  const there = await openTranscriptDesk()
  there.env['SHOP_PASSWORD'] = 'not-asked-for'
  try {
    await owner.exec('CREATE TABLE numbers AS SELECT n AS id FROM generate_series(1, 100000) n; ANALYZE')
    there.write(
      'ken.yaml',
      `name: shop\ndatabases:\n  - { name: shop, type: postgres, host: ${server.host}, port: ${server.port}, database: ${server.database}, user: ${server.user}, password: '\${SHOP_PASSWORD}' }\n`,
    )
    for (const words of [['trust', '--yes'], ['sync']]) {
      const { code, text } = await atTerminal(words, { cwd: there.folder, env: there.env })
      expect(code, text).toBe(0)
    }
    const running = async () =>
      Number(
        (
          await owner.column(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'ken' AND state = 'active' AND query LIKE 'FETCH%'",
          )
        )[0],
      )
    const said = there.open()
    said.tell('Ctrl-C is pressed while PostgreSQL counts.')
    let before = 0
    await said.type(['ask', 'Sum up all numbers with all others.'], {
      script: [
        sql('SELECT sum(a.id % 7 + b.id % 11 + c.id % 13) AS total FROM numbers a, numbers b, numbers c'),
        'This is never said.',
      ],
      answers: [
        [
          'running SQL',
          async () => {
            before = await until('the statement', async () => (await running()) || undefined)
            return '\u0003'
          },
        ],
      ],
    })
    await until('PostgreSQL to be idle', async () => (await running()) === 0)
    said.tell(`Statements of Ken in pg_stat_activity: ${before} before, ${await running()} now. The chat goes on.`)
    await said.type(['ask', '--continue', 'Then only count them.'], {
      script: [
        sql('SELECT count(*) AS numbers FROM numbers'),
        (request) => `There are [100,000](${lastQuery(request)}.numbers).`,
      ],
    })
    expect(there.model.requests.at(-1)!.said).toContain('Sum up all numbers')
    said.keep('stopped')
  } finally {
    await owner.close()
    await there.close()
    await server.stop()
  }
})

const CLAUDE = REAL_CLIENTS.find(({ name }) => name === 'claude-code')!
const program = programOf(CLAUDE, foldersIn(process.env['KEN_CLIENTS']))

test.skipIf(program === undefined || process.platform === 'win32')(
  `agent:claude-code answers with a number from Ken's own server${program === undefined ? ' (not installed: KEN_CLIENTS names no folder with it)' : ''}`,
  async () => {
    const real = await openRealDesk(CLAUDE, program!, () => 'ready')
    try {
      const said = openTranscript({
        cwd: real.project,
        env: { ...real.environment, KEN_MEMORY_LEARN: '0', KEN_EMBEDDINGS: '0', KEN_UPKEEP: '0', PAGER: 'cat' },
        model: real.model,
        place: real.root,
        // The client also requests a title and other things.
        beside: ({ tools }) => (tools.length > 0 ? undefined : 'ready'),
      })
      said.tell('Claude Code answers, with the tools of Ken alone and a model that follows a script behind it.')
      const screen = await said.type(['ask', 'How much is it in all?', '--model', 'agent:claude-code'], {
        script: [
          { say: 'I look at the orders.', ...sql('SELECT sum(amount) AS total FROM orders') },
          (request) =>
            `It is [${/\| ([\d.]+) \|/.exec(request.answers.at(-1)!.text)![1]}](${lastQuery(request)}.total) in all.`,
        ],
      })
      expect(screen).toContain('It is 6.5 in all.')
      await said.type(['ask', '--continue', 'And how many orders?', '--model', 'agent:claude-code'], {
        script: [
          sql('SELECT count(*) AS orders FROM orders'),
          (request) => `They are [2](${lastQuery(request)}.orders).`,
        ],
      })
      expect(real.model.requests.at(-1)!.said).toContain('How much is it in all?')
      expect(real.marks()).toEqual([])
      said.keep('claude-code')
    } finally {
      await real.close()
    }
  },
)
