import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteAnalystState } from '../src/database/state/sqlite/analyst-state.ts'
import { AGENT_CLIENTS } from '../src/kernel/domain/agent-client-name.ts'
import { inScene, openRealDesk, type RealDesk, type Reply } from './agent-clients/real-desk.ts'
import { foldersIn, programOf } from './clients/client-matrix.ts'
import { REAL_CLIENTS } from './clients/real-clients.ts'
import { describeAgentClient, failureOf, requestOf, textOf, all } from './contract/agent-client.contract.ts'

// The real clients with the scripted model. KEN_CLIENTS lists the folders (like PATH) in which npm installed them;
// missing clients are skipped by name.
const FOLDERS = foldersIn(process.env['KEN_CLIENTS'])

describe.each(AGENT_CLIENTS)('%s', (name) => {
  const client = REAL_CLIENTS.find((one) => one.name === name)!
  const program = programOf(client, FOLDERS)
  if (program === undefined) return test.skip(`${name} is not installed: KEN_CLIENTS names no folder with it`)

  const withDesk = async (reply: Reply, body: (desk: RealDesk) => Promise<void>): Promise<void> => {
    const desk = await openRealDesk(client, program, reply)
    try {
      await body(desk)
    } finally {
      await desk.close()
    }
  }

  describeAgentClient(name, { open: (scene) => openRealDesk(client, program, inScene(scene)) })

  test('answers `ken ask` in an untrusted folder, ignores orders there and the user’s programs, and resumes', () =>
    withDesk(inScene('answers'), async (desk) => {
      const first = await desk.ken('ask', 'How much is it in all?', '--model', `agent:${name}`, '--json')
      expect(first.code, first.err).toBe(0)
      expect(JSON.parse(first.out)).toMatchObject({ text: expect.stringContaining('The total is 6.5.') })
      const second = await desk.ken('ask', 'And once more, in all?', '--model', `agent:${name}`, '--continue', '--json')
      expect(second.code, second.err).toBe(0)
      const said = await desk.sent()
      expect(said).not.toContain('PWNED')
      expect(said).not.toContain('swordfish')
      // The second question is sent with the first in the client's session.
      const last = desk.model.requests.at(-1)!.said
      expect(last).toContain('How much is it in all?')
      expect(last).toContain('And once more, in all?')
      expect(desk.marks()).toEqual([])
      // Ken's own questions are not harvested as a session.
      const harvested = await desk.ken('harvest', '--client', name === 'gemini' ? 'gemini-cli' : name, '--json')
      expect(harvested.code, harvested.err).toBe(0)
      expect(JSON.parse(harvested.out).clients).toMatchObject([{ new: 0 }])
      expect(await desk.alive()).toEqual([])
      const offered = [...new Set(desk.model.requests.flatMap(({ tools }) => tools.map((tool) => tool.name)))]
      expect(offered.filter((tool) => tool.endsWith('execute_sql'))).toHaveLength(1)
      expect(offered.filter((tool) => /(?:^|_)ask$|shell|bash|write|edit|patch|fetch|web_search/i.test(tool))).toEqual(
        [],
      )
    }))

  test('can be tested with ken test: its queries and calls are recorded, and it leaves nothing behind', () =>
    withDesk(inScene('answers'), async (desk) => {
      mkdirSync(join(desk.project, 'tests'))
      writeFileSync(join(desk.project, 'tests', 'shop.yaml'), CASES)
      const before = await chatsAt(desk)
      const ran = await desk.ken('test', '-m', `agent:${name}`, '-t', '2', '--json')
      const { cases, total, run } = JSON.parse(ran.out || '{}')
      expect(cases, ran.err).toMatchObject([
        {
          name: 'One too many',
          verdict: 'failed',
          attempts: [{ checks: expect.arrayContaining([expect.objectContaining({ passed: false })]) }],
        },
      ])
      expect(ran.code).toBe(1)
      expect(total).toMatchObject({ cases: 3, passed: 2, failed: 1, broken: 0 })
      expect(run.models).toEqual([`agent:${name}`])
      const said = await desk.sent()
      expect(said).not.toMatch(/expected_total|PWNED|swordfish/)
      // Nothing is left in the state that `ken chats` reads, nor in the client's sessions.
      expect(await chatsAt(desk)).toEqual(before)
      expect(readdirSync(join(desk.root, 'ken', 'apart'))).toEqual([])
      const harvested = await desk.ken('harvest', '--client', name === 'gemini' ? 'gemini-cli' : name, '--json')
      expect(JSON.parse(harvested.out).clients).toMatchObject([{ new: 0 }])
      expect(desk.marks()).toEqual([])
      expect(await desk.alive()).toEqual([])
    }))

  test('is stopped in the middle of a query, together with the query', () =>
    withDesk(
      () => ({ call: { tool: 'execute_sql', input: { sql: ENDLESS } } }),
      async (desk) => {
        const stop = new AbortController()
        const failure = await failureOf(
          (async () => {
            const asked = desk.client.ask(requestOf(desk, { signal: stop.signal }))
            const waiting = setInterval(async () => {
              if (desk.model.requests.some(({ tools }) => tools.length > 0)) setTimeout(() => stop.abort(), 3_000)
            }, 500)
            try {
              for await (const event of asked) expect(event.type).not.toBe('end')
            } finally {
              clearInterval(waiting)
            }
          })(),
        )
        expect(failure.code).toBe('stopped')
        expect(await desk.alive()).toEqual([])
      },
    ))

  test('can be tested with ken debug', () =>
    withDesk(
      () => 'ready',
      async (desk) => {
        await desk.ken('config', 'set', 'model.name', `agent:${name}`)
        const { out } = await desk.ken('debug')
        expect(out).toMatch(new RegExp(`agent:${name}.*answers`))
      },
    ))

  test('parts added by tools are in the answer', () =>
    withDesk(
      ({ messages }) =>
        messages.some(({ role }) => role === 'tool')
          ? 'Asked.'
          : { call: { tool: 'clarify', input: { question: 'Which year?', options: ['2025', '2026'] } } },
      async (desk) => {
        const events = await all(desk, { tools: ['clarify'] })
        expect(textOf(events)).toContain('Asked.')
        const state = await openSqliteAnalystState(`${desk.root}/ken/state.db`)
        const parts = await state.log.parts('chat', 0)
        await state.close()
        expect(parts.map(({ part }) => part)).toContainEqual({
          kind: 'question',
          question: 'Which year?',
          options: ['2025', '2026'],
        })
      },
    ))
})

const CASES = `- name: The total
  kind: sql
  prompt: How much is it in all?
  sql: SELECT sum(amount) AS expected_total FROM orders
- name: What it does
  kind: action
  prompt: How much is it in all?
  called: [execute_sql, describe_table]
  not_called: [display_chart]
  tables: [orders]
- name: One too many
  kind: sql
  prompt: How much is it in all?
  sql: SELECT sum(amount) + 1 AS expected_total FROM orders
`

/** All chats in the user's state. */
async function chatsAt({ root }: RealDesk) {
  const state = await openSqliteAnalystState(join(root, 'ken', 'state.db'))
  try {
    const chats = await state.chats.list({ user: 'local', limit: 100 })
    return await Promise.all(
      chats.map(async ({ id }) => [id, await state.log.messages(id), await state.log.parts(id, 0)]),
    )
  } finally {
    await state.close()
  }
}

const ENDLESS =
  'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 1000000000) SELECT count(*) FROM c, orders'
