import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HarvestedSession } from '../src/memory/domain/session/session.ts'
import { codex } from '../src/memory/harvest/codex/index.ts'
import { isSuccess } from '../src/memory/harvest/codex/tool-outcome.ts'
import { cursorOf, harvest, sessionsIn } from './contract/harvester.contract.ts'

const harvester = codex
const A = '019a0001-0000-7000-8000-00000000000a'
const B = '019a0001-0000-7000-8000-00000000000b'
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-codex-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

const line = (type: string, payload: Line): Line => ({ timestamp: '2026-05-01T10:00:00.000Z', type, payload })
const meta = (id: string, more: Line = {}): Line =>
  line('session_meta', { id, cwd: '/home/dev/app', cli_version: '0.98.0', ...more })
const event = (type: string, more: Line = {}): Line => line('event_msg', { type, ...more })
const asks = (message: string): Line => event('user_message', { message, images: [] })
const says = (message: string): Line => event('agent_message', { message })
const message = (role: string, texts: readonly string[]): Line => ({
  type: 'message',
  role,
  content: texts.map((each) => ({ type: 'input_text', text: each })),
})
const raw = (role: string, ...texts: string[]): Line => line('response_item', message(role, texts))
const item = (type: string, more: Line): Line => event('item_completed', { item: { type, ...more } })

const pathOf = (id: string, folder = 'sessions/2026/05/01'): string =>
  join(root, folder, `rollout-2026-05-01T10-00-00-${id}.jsonl`)
const text = (lines: readonly Line[]): string => lines.map((each) => `${JSON.stringify(each)}\n`).join('')

async function write(id: string, ...lines: readonly Line[]): Promise<void> {
  await mkdir(dirname(pathOf(id)), { recursive: true })
  await writeFile(pathOf(id), text(lines))
}

async function told(id: string, cursor?: string): Promise<HarvestedSession | undefined> {
  return sessionsIn(await harvest(harvester, root, cursor)).find((session) => session.id === id)
}

const texts = (session: HarvestedSession | undefined): (string | undefined)[] | undefined =>
  session?.turns.map((turn) => turn.text)

describe('formats of different Codex versions', () => {
  test('uses the raw messages if there are no events, without the context that Codex adds', async () => {
    await write(
      A,
      meta(A),
      raw('developer', 'Be careful.'),
      raw(
        'user',
        '# AGENTS.md instructions for /home/dev/app\n\nUse tabs.',
        '<environment_context>\n</environment_context>',
      ),
      raw('user', '<user_shell_command>ls</user_shell_command>'),
      raw('user', 'Name the queue.'),
      raw('assistant', 'Call it jobs.'),
      raw('assistant', 'Summary: the queue is called jobs.'),
      line('compacted', { message: 'A summary follows. Summary: the queue is called jobs.' }),
      raw('user', 'Thanks.'),
    )
    expect(await told(A)).toMatchObject({
      turns: [{ text: 'Name the queue.' }, { text: 'Call it jobs.' }, { text: 'Thanks.' }],
      compactionSummaries: [{ text: 'A summary follows. Summary: the queue is called jobs.' }],
    })
  })

  test('items with the provenance harness are context, regardless of their text', async () => {
    const passthrough = {
      content_item_metadata: [{ provenance: { type: 'harness' } }, { provenance: { type: 'user' } }],
    }
    const both = message('user', ['Some context', 'Go'])
    await write(A, meta(A), line('response_item', { ...both, internal_chat_message_metadata_passthrough: passthrough }))
    expect(texts(await told(A))).toEqual(['Go'])
  })

  test('a paginated thread is read from its items even if it has events of the older format', async () => {
    const items = [
      item('UserMessage', { content: [{ type: 'text', text: 'Go' }] }),
      item('AgentMessage', { content: [{ type: 'Text', text: 'Done.' }] }),
    ]
    await write(A, meta(A, { history_mode: 'paginated' }), asks('Go'), says('Done.'), ...items)
    expect(texts(await told(A))).toEqual(['Go', 'Done.'])
  })

  test('a request from an editor is harvested without the files around it', async () => {
    const prompt =
      '# Context from my IDE setup:\n\n## Active file: a.md\n## My request for Codex:\nnot this\n\n## My request for Codex:\nRename the flag.'
    await write(A, meta(A), asks(prompt), says('Done.'))
    expect(texts(await told(A))).toEqual(['Rename the flag.', 'Done.'])
    await write(B, meta(B), asks('Write a README with a heading\n## My request for Codex:\nabove the text.'))
    expect(texts(await told(B))).toEqual(['Write a README with a heading\n## My request for Codex:\nabove the text.'])
  })
})

describe('tools', () => {
  test('are listed once by the name the model used, and marked as failed if any entry indicates it', async () => {
    await write(
      A,
      meta(A, { history_mode: 'paginated' }),
      item('UserMessage', { content: [{ text: 'Go' }] }),
      line('response_item', { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{}' }),
      line('response_item', { type: 'function_call_output', call_id: 'c1', output: 'fine' }),
      item('CommandExecution', { id: 'c1', status: 'failed', exit_code: 1 }),
      item('McpToolCall', { id: 'c2', server: 'mem', tool: 'get-sum', status: 'completed' }),
      line('response_item', { type: 'web_search_call', id: 'w1', status: 'completed' }),
      item('AgentMessage', { content: [{ text: 'Done.' }] }),
    )
    expect((await told(A))?.turns[1]).toMatchObject({
      tools: [
        { name: 'shell', ok: false },
        { name: 'mcp__mem__get-sum', ok: true },
        { name: 'web_search', ok: null },
      ],
    })
  })

  test.each<[unknown, boolean]>([
    ['{"output":"a","metadata":{"exit_code":0}}', true],
    ['{"output":"a","metadata":{"exit_code":2}}', false],
    ['Chunk ID: 1\nProcess exited with code 127\nOutput:\nnot found', false],
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\n', false],
    ['Process exited with code 0\nOutput:\nthe child exited with code 1', true],
    ['{"output":"cut off","metadata":{"exit_code":3', false],
    [[{ type: 'input_text', text: 'Charts use Lisbon time.' }], true],
    [{ content: 'no', success: false }, false],
    ['{"answer":42}', true],
    [undefined, true],
  ])('output %j is success: %s', (output, ok) => {
    expect(isSuccess(output)).toBe(ok)
  })
})

describe('forks by copy', () => {
  const shared = [asks('One'), says('First.')]

  test('are harvested without the turns of their parent, even after the parent is deleted', async () => {
    await write(A, meta(A), ...shared)
    await write(B, meta(B, { forked_from_id: A }), meta(A), ...shared, asks('Fork'), says('Forked.'))
    const first = await harvest(harvester, root)
    const fork = { id: B, kind: 'fork', parentId: A, title: 'Fork', turns: [{ text: 'Fork' }, { text: 'Forked.' }] }
    expect(sessionsIn(first)).toMatchObject([{ id: A, kind: 'main' }, fork])
    await rm(pathOf(A))
    await appendFile(pathOf(B), text([asks('More')]))
    expect(texts(await told(B, cursorOf(first)))).toEqual(['Fork', 'Forked.', 'More'])
  })

  test('made before the parent rolled a turn back also share that turn', async () => {
    await write(
      A,
      meta(A),
      ...shared,
      asks('Two'),
      says('Second.'),
      event('thread_rolled_back', { num_turns: 1 }),
      asks('Three'),
    )
    await write(B, meta(B, { forked_from_id: A }), meta(A), ...shared, asks('Two'), says('Second.'), asks('Fork'))
    expect(texts(await told(B))).toEqual(['Fork'])
  })

  test('are harvested completely if their parent is missing', async () => {
    await write(B, meta(B, { forked_from_id: A }), meta(A), ...shared, asks('Fork'))
    expect(texts(await told(B))).toEqual(['One', 'First.', 'Fork'])
  })

  test('forks by reference keep a prompt that repeats the first prompt of the parent', async () => {
    await write(A, meta(A), ...shared)
    await write(B, meta(B, { forked_from_id: A, history_base: { thread_id: A } }), ...shared)
    expect(await told(B)).toMatchObject({ kind: 'fork', parentId: A, turns: [{ text: 'One' }, { text: 'First.' }] })
  })
})

describe('a thread that moves', () => {
  test('is the same thread in the archive or in a compressed file', async () => {
    await write(A, meta(A), asks('Go'), says('Done.'))
    const first = await harvest(harvester, root)
    await mkdir(join(root, 'archived_sessions'))
    await rename(pathOf(A), pathOf(A, 'archived_sessions'))
    const second = await harvest(harvester, root, cursorOf(first))
    expect(sessionsIn(second)).toMatchObject([{ id: A, archived: true, turns: [{ text: 'Go' }, { text: 'Done.' }] }])

    await writeFile(
      `${pathOf(A)}.zst`,
      zstdCompressSync(Buffer.from(text([meta(A), asks('Go'), says('Done.'), asks('More')]))),
    )
    const third = sessionsIn(await harvest(harvester, root, cursorOf(second)))
    expect(third).toMatchObject([
      { id: A, archived: false, turns: [{ text: 'Go' }, { text: 'Done.' }, { text: 'More' }] },
    ])
    expect(third[0]?.files).toHaveLength(2)
  })

  test('a damaged compressed file is reported and the others are read', async () => {
    await write(A, meta(A), asks('Go'))
    await writeFile(`${pathOf(B)}.zst`, 'this is not compressed at all')
    const events = await harvest(harvester, root)
    expect(sessionsIn(events).map((session) => session.id)).toEqual([A])
    expect(events.filter((each) => each.kind === 'skipped')).toMatchObject([
      { why: 'damaged', path: expect.stringContaining(B) },
    ])
    expect((await harvest(harvester, root, cursorOf(events))).map((each) => each.kind)).toEqual(['cursor'])
  })

  test('a name given later is a change, and the last name is used', async () => {
    await write(A, meta(A), asks('Go'))
    const first = await harvest(harvester, root)
    await writeFile(
      join(root, 'session_index.jsonl'),
      text([
        { id: A, thread_name: 'Old' },
        { id: A, thread_name: 'Pears' },
      ]),
    )
    expect(sessionsIn(await harvest(harvester, root, cursorOf(first)))).toMatchObject([
      { id: A, title: 'Pears', titleFrom: 'session_index' },
    ])
  })
})
