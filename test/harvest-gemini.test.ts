import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { geminiHarvester } from '../src/memory/harvest/gemini/index.ts'
import { cursorOf, harvest, sessionsIn } from './contract/harvester.contract.ts'

const harvester = geminiHarvester()
const FIXTURE = join(import.meta.dirname, 'fixtures/sessions/gemini/home/.gemini')
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-gemini-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

const user = (id: string, content: unknown, more: Line = {}): Line => ({
  id,
  timestamp: '2026-05-01T10:00:00.000Z',
  type: 'user',
  content,
  ...more,
})
const gemini = (id: string, content: string, more: Line = {}): Line => ({
  id,
  timestamp: '2026-05-01T10:00:05.000Z',
  type: 'gemini',
  content,
  ...more,
})
const call = (status: string): Line => ({ toolCalls: [{ id: 't', name: 'read_file', status }] })
const checkpoint = (...messages: Line[]): Line => ({ $set: { messages } })

async function write(lines: readonly Line[], path = 'tmp/app/chats/session-2026-05-01T10-00-1.jsonl'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(
    join(root, path),
    [{ sessionId: 's-1', projectHash: 'h' }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
}

const told = async (cursor?: string) => sessionsIn(await harvest(harvester, root, cursor))
const texts = async (): Promise<(string | undefined)[] | undefined> => (await told())[0]?.turns.map((turn) => turn.text)

describe('replay', () => {
  test('turns dropped by compression are kept, and its summary is not a turn', async () => {
    await write([
      user('1', 'One'),
      gemini('2', 'First.'),
      checkpoint(
        user('x', '<state_snapshot>so far</state_snapshot>'),
        gemini('y', 'Got it. Thanks for the additional context!'),
      ),
      user('3', 'Two'),
      gemini('4', 'Second.'),
    ])
    expect(await texts()).toEqual(['One', 'First.', 'Two', 'Second.'])
    expect((await told())[0]?.compactionSummaries.map((summary) => summary.text)).toEqual([
      '<state_snapshot>so far</state_snapshot>',
    ])
  })

  test('a message keeps its first time, its last content, and the tools a later copy leaves out', async () => {
    const later = { timestamp: '2026-05-02T10:00:00.000Z' }
    const resumed = checkpoint(user('1', 'Go', later), gemini('2', 'Working.', later))
    await write([
      user('1', 'Go'),
      gemini('2', 'Wor', call('executing')),
      gemini('2', 'Working.', call('success')),
      resumed,
    ])
    expect((await told())[0]?.turns).toEqual([
      { role: 'user', text: 'Go', at: '2026-05-01T10:00:00.000Z' },
      { role: 'assistant', text: 'Working.', at: '2026-05-01T10:00:05.000Z', tools: [{ name: 'read_file', ok: true }] },
    ])
  })

  test('a command with an exit code other than 0 has failed, whatever its status', async () => {
    const ran = (command: string, output: string): Line => ({
      name: 'run_shell_command',
      args: { command, description: 'try it' },
      status: 'success',
      result: [{ functionResponse: { name: 'run_shell_command', response: { output } } }],
    })
    const toolCalls = [
      ran('npm test', 'Output: 1 failed\nExit Code: 1\nProcess Group PGID: 7'),
      ran('cat log', 'Output: Exit Code: 1\nall of it\nProcess Group PGID: 8'),
      { ...ran('cat log', 'Exit Code: 1'), name: 'read_file', args: { file_path: 'log' } },
    ]
    await write([user('1', 'Go'), gemini('2', 'Done.', { toolCalls })])
    expect((await told())[0]?.turns[1]).toMatchObject({
      tools: [
        { name: 'run_shell_command', ok: false, detail: 'npm test' },
        { name: 'run_shell_command', ok: true, detail: 'cat log' },
        { name: 'read_file', ok: true, detail: 'log' },
      ],
    })
  })

  test('a rewind to an unknown message removes nothing', async () => {
    await write([user('1', 'Go'), gemini('2', 'Done.'), { $rewindTo: 'nobody' }])
    expect(await texts()).toEqual(['Go', 'Done.'])
  })
})

describe('noise', () => {
  test.each([
    ['a command', '/stats model'],
    ['a call for help', '?'],
    ['the context of the session', '<session_context>\nThis is the Gemini CLI.</session_context>'],
    ['the answer of a tool', [{ functionResponse: { name: 'read_file' } }]],
  ])('%s is not a turn', async (_, content) => {
    await write([user('1', content), user('2', 'Go'), gemini('3', 'Done.')])
    expect(await texts()).toEqual(['Go', 'Done.'])
  })

  test('a comment is not a command, and files the client read in are not part of the prompt', async () => {
    const parts = [
      'Explain @a.ts',
      '\n--- Content from referenced files ---',
      '\nContent from @a.ts:\n',
      'const a = 1',
      '\n--- End of content ---',
    ]
    await write([
      user('1', '// keep this comment'),
      user(
        '2',
        parts.map((text) => ({ text })),
      ),
      user('3', 'A long expansion of a template', { displayContent: 'Review it' }),
    ])
    expect(await texts()).toEqual(['// keep this comment', 'Explain @a.ts', 'Review it'])
  })
})

describe('the project of a chat', () => {
  test('is found among directories known from elsewhere if the chat has only its hash', async () => {
    await cp(FIXTURE, root, { recursive: true })
    const known = geminiHarvester({ knownDirectories: ['/home/dev/other', '/home/dev/reef-old'] })
    const session = sessionsIn(await harvest(known, root)).find(({ id }) => id.startsWith('21616443'))
    expect(session).toMatchObject({ projectDir: '/home/dev/reef-old', projectHash: null })
  })

  test('counts as a change once it becomes known', async () => {
    await write([user('1', 'Go')])
    const first = await harvest(harvester, root)
    expect(sessionsIn(first)).toMatchObject([{ projectDir: null, projectHash: 'h' }])
    await writeFile(join(root, 'tmp/app/.project_root'), '/home/dev/app\n')
    expect(await told(cursorOf(first))).toMatchObject([{ id: 's-1', projectDir: '/home/dev/app' }])
  })
})

describe('files', () => {
  test('a chat continued in another format is one session, read from the newer file', async () => {
    await mkdir(join(root, 'tmp/app/chats'), { recursive: true })
    const json = 'tmp/app/chats/session-2026-05-01T10-00-1.json'
    await writeFile(join(root, json), JSON.stringify({ sessionId: 's-1', messages: [user('1', 'Go')] }))
    const first = await harvest(harvester, root)
    expect(sessionsIn(first)).toMatchObject([{ id: 's-1', files: [json], turns: [{ text: 'Go' }] }])
    await write([user('1', 'Go'), gemini('2', 'Done.')])
    expect(await told(cursorOf(first))).toMatchObject([
      { id: 's-1', files: [json, `${json}l`], turns: [{ text: 'Go' }, { text: 'Done.' }] },
    ])
  })

  test('a truncated document is damaged until it is complete', async () => {
    const path = join(root, 'tmp/app/chats/session-2026-05-01T10-00-1.json')
    const whole = JSON.stringify({ sessionId: 's-1', messages: [user('1', 'Go')] })
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, whole.slice(0, 40))
    const first = await harvest(harvester, root)
    expect(first).toMatchObject([{ kind: 'skipped', why: 'damaged' }, { kind: 'cursor' }])
    await appendFile(path, whole.slice(40))
    expect(await told(cursorOf(first))).toMatchObject([{ id: 's-1', turns: [{ text: 'Go' }] }])
  })
})
