import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Approval, ChatPart } from '../../src/analyst/domain/chat/part.ts'
import type { Context } from '../../src/operations/context.ts'
import { openAnalystDesk, type AnalystDesk } from './analyst-desk.ts'

// The loop from question to answer with the tools of a third-party server: a person approves each call.

const SERVER = resolve(import.meta.dirname, '../fixtures/mcp/server.mjs')

let desk: AnalystDesk
const seen = (): string => join(desk.folder, 'seen')
const server = (manner: string) => ({ command: process.execPath, args: [SERVER, manner, seen()] })

beforeAll(async () => {
  desk = await openAnalystDesk()
  desk.write(
    'agent/mcps/mcp.json',
    JSON.stringify({
      mcpServers: {
        shelf: server('plain'),
        liar: server('lying'),
        fickle: server('changing'),
        gone: { command: 'no-such-thing' },
      },
    }),
  )
}, 60_000)
afterAll(() => desk.close())

const of = <K extends ChatPart['kind']>(parts: readonly ChatPart[], kind: K) =>
  parts.filter((part): part is Extract<ChatPart, { kind: K }> => part.kind === kind)

/** A follower of the chat that gives the same answer to every pending call. */
const saying = (answer: Approval): Partial<Context> => {
  const { turns } = desk.context()
  let chat = ''
  return {
    hear(event) {
      if (event.type === 'message') chat = event.message.chat
      if (event.type === 'part' && event.part.kind === 'approval') {
        const { call } = event.part
        setTimeout(() => turns.settle(chat, call, answer))
      }
    },
  }
}

/** Asks in the background, as a page does, and waits for the end. */
async function ask(question: string, answer: Approval, chat?: string) {
  const begun = await desk.ask(question, { detach: true, ...(chat !== undefined && { chat }) }, saying(answer))
  const { turns } = desk.context()
  while (turns.isRunning(begun.chat)) await new Promise((passed) => setTimeout(passed, 10))
  const parts = await desk.parts(begun.chat)
  return { chat: begun.chat, parts, requests: desk.model.requests }
}

const add = { call: { tool: 'shelf__add', input: { a: 2, b: 3 } } }

describe('tools of MCP servers', () => {
  test('are hidden before they are trusted', async () => {
    desk.model.reply = ['Hello.']
    await ask('Hello?', 'once')
    expect(desk.model.requests.at(-1)!.said).not.toContain('shelf__add')
    expect(existsSync(`${seen()}.started`)).toBe(false)
    await desk.run('trust', { yes: true })
  })

  test('are offered with the others; a failing server is reported and skipped', async () => {
    desk.model.reply = ['Hello.']
    const { parts } = await ask('Hello?', 'once')
    const { said } = desk.model.requests.at(-1)!
    expect(said).toContain('From the MCP server "shelf", in its own words: Adds two numbers.')
    expect(of(parts, 'notice').map(({ text }) => text)).toEqual([
      'MCP server gone cannot be used: there is no program "no-such-thing".',
    ])
  })

  test('run once a person has seen everything that is sent and approved it; the result is data', async () => {
    desk.model.reply = [add, 'It is 5.']
    const { parts } = await ask('2 and 3?', 'once')
    expect(of(parts, 'approval')).toMatchObject([
      { tool: 'shelf__add', input: { a: 2, b: 3 }, mark: expect.any(String) },
    ])
    expect(of(parts, 'approved')).toMatchObject([{ answer: 'once' }])
    expect(of(parts, 'result')[0]!.text).toMatch(
      /^<ken-context-\w+ origin="mcp" server="shelf" tool="add" trust="untrusted"/,
    )
  })

  test('do not run without approval', async () => {
    desk.model.reply = [add, 'Then not.']
    const { parts } = await ask('2 and 3?', 'no')
    expect(of(parts, 'result')).toMatchObject([
      { failed: true, text: expect.stringContaining('did not allow this call') },
    ])
  })

  test('are not called with more input than a person can review', async () => {
    desk.model.reply = [{ call: { tool: 'shelf__add', input: { a: 1, b: 'x'.repeat(20_000) } } }, 'Too much.']
    const { parts } = await ask('A lot?', 'once')
    expect(of(parts, 'approval')).toEqual([])
    expect(of(parts, 'result')[0]).toMatchObject({ failed: true, text: expect.stringContaining('Send less') })
  })

  test('need one confirmation if allowed for the chat, and another in the next chat', async () => {
    desk.model.reply = [add, add, 'Twice 5.', add, 'And again.', add, 'Still 5.']
    const first = await ask('2 and 3, twice?', 'chat')
    expect(of(first.parts, 'approval')).toHaveLength(1)
    const second = await ask('And again?', 'no', first.chat)
    expect(of(second.parts, 'approval')).toHaveLength(1)
    expect(of(second.parts, 'result').every(({ failed }) => !failed)).toBe(true)
    expect(of((await ask('And elsewhere?', 'no')).parts, 'approval')).toHaveLength(1)
  })

  test('are not run for an agent that continues a chat in which a person allowed them', async () => {
    desk.model.reply = [add, 'It is 5.', add, 'Then not.', 'Hello.']
    const { chat } = await ask('2 and 3?', 'chat')
    await desk.ask('And again?', { chat }, { origin: { surface: 'mcp-stdio', client: 'stranger' } })
    const results = of(await desk.parts(chat), 'result')
    expect(results.map(({ failed }) => failed)).toEqual([false, true])
    const { text } = await desk.run('chat_export', { chat })
    expect(text).toContain('## An agent (agent:stranger)')
  })

  test('receive exactly the input that the person was shown, without secrets', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)}`
    desk.model.reply = [{ call: { tool: 'shelf__note', input: { text: `the key is ${secret}` } } }, 'Noted.']
    await ask('Note it.', 'once')
    const shown = desk.heard.flatMap((event) =>
      event.type === 'part' && event.part.kind === 'approval' ? [event.part.input as { text: string }] : [],
    )
    expect(readFileSync(`${seen()}.note`, 'utf8')).toMatch(/^the key is /)
    expect(readFileSync(`${seen()}.note`, 'utf8')).not.toContain(secret)
    expect(shown.every(({ text }) => !text.includes(secret))).toBe(true)
  })

  test('need confirmation again after they change, even if they were allowed for the chat', async () => {
    const count = { call: { tool: 'fickle__count', input: {} } }
    desk.model.reply = [count, 'It is 42.', count, 'It was 42.']
    const { chat, parts } = await ask('How many?', 'chat')
    expect(of(parts, 'result')[0]!.text).toContain('42')
    writeFileSync(`${seen()}.changed`, '')
    await desk.restart()
    const again = await ask('How many now?', 'no', chat)
    expect(of(again.parts, 'approval').map(({ mark }) => mark)).toHaveLength(2)
    expect(new Set(of(again.parts, 'approval').map(({ mark }) => mark)).size).toBe(2)
    expect(of(again.parts, 'result').at(-1)!.failed).toBe(true)
    rmSync(`${seen()}.changed`)
  })

  test('achieve nothing by giving orders: no other call, no memory, and no bypass of the approval', async () => {
    desk.model.reply = [{ call: { tool: 'liar__execute_sql', input: { sql: 'x' } } }, 'It says odd things.']
    const { parts } = await ask('What does it say?', 'once')
    expect(of(parts, 'call').map(({ tool }) => tool)).toEqual(['liar__execute_sql'])
    expect(of(parts, 'remembered')).toEqual([])
    const [result] = of(parts, 'result')
    expect(result!.text.match(/<\/ken-context/g)).toHaveLength(1)
    const memories = await (await desk.state()).memories.all('local')
    expect(memories).toEqual([])
  })

  test('get no environment variables that their entry does not name', async () => {
    desk.model.reply = [{ call: { tool: 'shelf__show_environment', input: {} } }, 'Nothing there.']
    const { parts } = await ask('What do you see?', 'once')
    expect(of(parts, 'result')[0]!.text).not.toMatch(/KEN_/)
    expect(readFileSync(`${seen()}.started`, 'utf8')).not.toBe('')
  })
})
