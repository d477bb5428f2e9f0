import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { qwen } from '../src/memory/harvest/qwen/index.ts'
import { cursorOf, describeHarvester, harvest, sessionsIn } from './contract/harvester.contract.ts'
import { clock, fixture, lineHand } from './contract/line-hand.ts'

describeHarvester('qwen', {
  open: () => qwen,
  fixture: fixture('qwen'),
  hand(root) {
    const session = '54bfc011-e6b1-4391-8e7a-1c9627e2813d'
    const tick = clock()
    const record = (type: string, role: string, text: string): object => ({
      uuid: `new-${tick()}`,
      sessionId: session,
      timestamp: new Date(tick()).toISOString(),
      type,
      cwd: '/home/dev/reef',
      message: { role, parts: [{ text }] },
    })
    return lineHand({
      session,
      file: join(root, 'projects/-home-dev-reef/chats', `${session}.jsonl`),
      secrets: [join(root, 'oauth_creds.json'), join(root, 'projects/-home-dev-reef/chats/settings.json')],
      lines: (user, assistant) => [record('user', 'user', user), record('assistant', 'model', assistant)],
    })
  },
})

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-qwen-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

const record = (
  uuid: string,
  parentUuid: string | null,
  type: string,
  parts: readonly Line[],
  more: Line = {},
): Line => ({
  uuid,
  parentUuid,
  timestamp: '2026-05-01T10:00:00.000Z',
  type,
  cwd: '/home/dev/app',
  message: { role: type === 'assistant' ? 'model' : 'user', parts },
  ...more,
})
const user = (uuid: string, parent: string | null, text: string, more: Line = {}): Line =>
  record(uuid, parent, 'user', [{ text }], more)
const model = (uuid: string, parent: string | null, text: string): Line => record(uuid, parent, 'assistant', [{ text }])
const system = (uuid: string, parent: string | null, subtype: string, systemPayload: Line): Line => ({
  ...record(uuid, parent, 'system', []),
  subtype,
  systemPayload,
})
const text = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const pathOf = (id: string): string => join(root, 'projects/-home-dev-app/chats', `${id}.jsonl`)

async function write(id: string, ...lines: readonly Line[]): Promise<void> {
  await mkdir(dirname(pathOf(id)), { recursive: true })
  await writeFile(pathOf(id), text(lines))
}

const told = async (cursor?: string) => sessionsIn(await harvest(qwen, root, cursor))
const texts = async (): Promise<(string | undefined)[] | undefined> => (await told())[0]?.turns.map((turn) => turn.text)

test('a rewind leaves the removed turns on a separate branch', async () => {
  await write(
    'a',
    user('1', null, 'Make it 35.'),
    model('2', '1', 'It is 35.'),
    user('3', '2', 'Make it 40.'),
    model('4', '3', 'It is 40.'),
    system('5', '2', 'rewind', { truncatedCount: 2 }),
    user('6', '5', 'Thanks.'),
  )
  expect((await told())[0]).toMatchObject({
    turns: [{ text: 'Make it 35.' }, { text: 'It is 35.' }, { text: 'Thanks.' }],
    abandonedTurns: [{ text: 'Make it 40.' }, { text: 'It is 40.' }],
  })
})

test('a record with a missing parent follows the record before it', async () => {
  await write('a', user('1', null, 'Go'), model('2', 'lost', 'Done.'), user('3', '2', 'Thanks.'))
  expect(await texts()).toEqual(['Go', 'Done.', 'Thanks.'])
})

test('a fork is harvested without the turns of its parent, permanently', async () => {
  const copied = { forkedFrom: { sessionId: 'a', messageUuid: 'x' } }
  const shared = [user('1', null, 'One'), model('2', '1', 'First.')]
  await write('a', ...shared)
  await write('b', ...shared.map((line) => ({ ...line, ...copied })), user('3', '2', 'Fork'))
  const first = await harvest(qwen, root)
  const fork = { id: 'b', kind: 'fork', parentId: 'a', title: 'Fork', turns: [{ text: 'Fork' }] }
  expect(sessionsIn(first)).toMatchObject([{ id: 'a', kind: 'main' }, fork])
  await rm(pathOf('a'))
  await appendFile(pathOf('b'), text([model('4', '3', 'Forked.')]))
  expect(await told(cursorOf(first))).toMatchObject([{ id: 'b', turns: [{ text: 'Fork' }, { text: 'Forked.' }] }])
  expect((await told())[0]?.turns.map((turn) => turn.text)).toEqual(['One', 'First.', 'Fork', 'Forked.'])
})

test('timers, notices, thoughts and files that the client read in are not turns', async () => {
  const files = '\n--- Content from referenced files ---\nContent from @a.ts:\nconst a = 1\n--- End of content ---'
  await write(
    'a',
    user('1', null, `Explain @a.ts${files}`),
    record('2', '1', 'assistant', [{ text: 'They mean a.', thought: true }, { text: 'It is ' }, { text: 'one.' }]),
    user('3', '2', 'A timer', { subtype: 'cron' }),
    user('4', '3', 'An agent is done', { subtype: 'notification' }),
  )
  expect(await texts()).toEqual(['Explain @a.ts', 'It is one.'])
})

test('output of a Ken hook in the prompt, with brackets escaped, is not a turn', async () => {
  const said = '&lt;ken-context-9djl origin="record"&gt;\nD005 Jobs in Postgres\n&lt;/ken-context-9djl&gt;'
  await write('a', record('1', null, 'user', [{ text: 'May we? ' }, { text: said }]), model('2', '1', 'No.'))
  expect(await texts()).toEqual(['May we?', 'No.'])
})

test('a summary is not a turn, and the last title counts', async () => {
  const compressedHistory = [
    { role: 'user', parts: [{ text: 'Context\n<state_snapshot>So far: 35.</state_snapshot>' }] },
    { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
  ]
  await write(
    'a',
    user('1', null, 'Go'),
    system('2', '1', 'chat_compression', { info: {}, compressedHistory }),
    system('3', '2', 'custom_title', { customTitle: 'Old', titleSource: 'auto' }),
    system('4', '3', 'custom_title', { customTitle: 'Coral depth', titleSource: 'manual' }),
  )
  expect(await told()).toMatchObject([
    {
      title: 'Coral depth',
      titleFrom: 'custom-title',
      turns: [{ text: 'Go' }],
      compactionSummaries: [{ text: '<state_snapshot>So far: 35.</state_snapshot>' }],
    },
  ])
})

test('a call has failed if its status, its error or its exit code indicates it', async () => {
  const call = (id: string, name: string, args: Line): Line => ({ functionCall: { id, name, args } })
  const result = (uuid: string, parent: string, answer: Line, status = 'success'): Line =>
    record(uuid, parent, 'tool_result', [{ functionResponse: answer }], { toolCallResult: { status } })
  const shell = 'run_shell_command'
  await write(
    'a',
    user('1', null, 'Go'),
    record('2', '1', 'assistant', [
      { text: 'Trying.' },
      call('a', shell, { command: 'npm test' }),
      call('b', 'edit', { file_path: '/home/dev/app/src/x.ts' }),
      call('c', 'read_file', { file_path: '/home/dev/app/log' }),
      call('d', shell, { command: 'sleep 9' }),
      call('e', 'glob', { pattern: '*' }),
    ]),
    result('3', '2', { id: 'a', name: shell, response: { output: 'Output: no\nExit Code: 1\nSignal: 0' } }),
    result('4', '3', { id: 'b', name: 'edit', response: { error: 'no match' } }),
    result('5', '4', { id: 'c', name: 'read_file', response: { output: 'Exit Code: 1' } }),
    result('6', '5', { id: 'e', name: 'glob', response: { output: '' } }, 'cancelled'),
  )
  expect((await told())[0]?.turns[1]).toMatchObject({
    tools: [
      { name: shell, ok: false, detail: 'npm test' },
      { name: 'edit', ok: false, detail: 'src/x.ts' },
      { name: 'read_file', ok: true, detail: 'log' },
      { name: shell, ok: null, detail: 'sleep 9' },
      { name: 'glob', ok: false, detail: '*' },
    ],
  })
})
