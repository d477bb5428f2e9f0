import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { KEN } from '../ken-program.ts'
import { useAskDesk } from './ask-desk.ts'

// Windows has no `script`.
const atDesk = test.skipIf(process.platform === 'win32')
const SERVER = resolve(import.meta.dirname, '../fixtures/mcp/server.mjs')
const SQL = 'SELECT city, sum(amount) AS revenue FROM orders GROUP BY city ORDER BY revenue DESC'
const add = { call: { tool: 'add', input: { a: 2, b: 3 } } }
const desk = useAskDesk({
  'add twice': [add, add, { say: 'Both are done.' }],
  'draw it': [
    { call: { tool: 'execute_sql', input: { sql: SQL } } },
    {
      call: {
        tool: 'display_chart',
        input: { query_id: 'QUERY', kind: 'bar', x: 'city', y: ['revenue'], title: 'Revenue by city' },
      },
    },
    { say: 'Drawn.' },
  ],
})

beforeAll(() => {
  mkdirSync(join(desk.place, 'agent', 'mcps'), { recursive: true })
  const servers = { sums: { command: process.execPath, args: [SERVER, 'plain', join(desk.place, 'seen')] } }
  writeFileSync(join(desk.place, 'agent', 'mcps', 'mcp.json'), JSON.stringify({ mcpServers: servers }))
  execFileSync(process.execPath, [KEN, 'trust', '--yes'], {
    cwd: desk.place,
    env: { PATH: process.env['PATH'], ...desk.env },
  })
})

const toolAnswers = () => desk.model.requests.at(-1)!.said

atDesk(
  'shows what a third-party tool call sends and waits for approval, which may cover the whole chat',
  async () => {
    const { text, code } = await desk.sit(['ask', 'add twice'], {
      answers: [
        ['Allow it?', '\r'],
        ['Allow it?', 'c\r'],
      ],
    })
    expect(text).toMatch(
      /The analyst wants to call \S*add, which is not Ken's own, with:\r?\n {2}\{\n {4}"a": 2,\n {4}"b": 3\n {2}\}/,
    )
    expect(text.match(/wants to call/g)).toHaveLength(1)
    expect(text).toContain('Both are done.')
    expect(toolAnswers()).not.toContain('did not allow')
    expect(code).toBe(0)
  },
  120_000,
)

atDesk(
  'does not run a denied call, or one that nobody can approve',
  async () => {
    const { text } = await desk.sit(['ask', 'add twice'], {
      answers: [
        ['Allow it?', 'n\r'],
        ['Allow it?', '\u0004'],
      ],
    })
    expect(text).toContain('· not allowed')
    expect(toolAnswers()).toContain('did not allow')
    const piped = await desk.piped(['ask', 'add twice'])
    expect(piped.stdout).toContain('Both are done.')
    expect(toolAnswers()).toContain('did not allow')
  },
  120_000,
)

atDesk(
  'draws a chart in the terminal, writes it to a file on request, and shows it to a follower of the chat',
  async () => {
    const { text } = await desk.sit(['ask'], {
      answers: [
        ['ask> ', 'draw it\r'],
        ['Drawn.', '/chart revenue.png\r'],
        ['Written to', '/chart revenue.png\r'],
        ['ken:', '\u0004'],
      ],
    })
    expect(text).toMatch(/Revenue by city[\s\S]*Oslo[\s\S]*Bern[\s\S]*Rome[\s\S]*Drawn\./)
    expect(existsSync(join(desk.place, 'revenue.png'))).toBe(true)
    expect([...readFileSync(join(desk.place, 'revenue.png')).subarray(1, 4)]).toEqual([...Buffer.from('PNG')])
    const followed = await desk.sit(['chats', 'follow', 'last'])
    expect(followed.text).toMatch(/> draw it\n[\s\S]*Revenue by city[\s\S]*Oslo[\s\S]*Drawn\./)
  },
  120_000,
)
