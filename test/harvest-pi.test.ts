import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pi } from '../src/memory/harvest/pi/index.ts'
import { cursorOf, describeHarvester, harvest, sessionsIn } from './contract/harvester.contract.ts'
import { clock, fixture, lineHand } from './contract/line-hand.ts'

describeHarvester('pi', {
  open: () => pi,
  fixture: fixture('pi'),
  hand(root) {
    const session = '01a1e10b-94e1-78b4-9d1c-6d4b8b39946a'
    const tick = clock()
    const entry = (role: string, text: string): object => ({
      type: 'message',
      id: `new-${tick()}`,
      timestamp: new Date(tick()).toISOString(),
      message: { role, content: [{ type: 'text', text }] },
    })
    return lineHand({
      session,
      file: join(root, 'sessions/--home-dev-reef--', `2026-11-15T21-09-55-049Z_${session}.jsonl`),
      secrets: [join(root, 'auth.json'), join(root, 'sessions/auth.json')],
      lines: (user, assistant) => [entry('user', user), entry('assistant', assistant)],
    })
  },
})

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-pi-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

const header = (id: string, more: Line = {}): Line => ({
  type: 'session',
  version: 3,
  id,
  timestamp: '2026-05-01T09:00:00.000Z',
  cwd: '/home/dev/app',
  ...more,
})
const entry = (id: string, parentId: string | null, more: Line): Line => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-05-01T10:00:00.000Z',
  ...more,
})
const user = (id: string, parent: string | null, content: unknown): Line =>
  entry(id, parent, { message: { role: 'user', content } })
const assistant = (id: string, parent: string | null, content: readonly Line[], more: Line = {}): Line =>
  entry(id, parent, { message: { role: 'assistant', content, ...more } })
const says = (id: string, parent: string | null, words: string): Line =>
  assistant(id, parent, [{ type: 'text', text: words }])
const text = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const nameOf = (id: string): string => `2026-05-01T09-00-00-000Z_${id}.jsonl`
const pathOf = (id: string): string => join(root, 'sessions/--home-dev-app--', nameOf(id))

async function write(id: string, ...lines: readonly Line[]): Promise<void> {
  await mkdir(dirname(pathOf(id)), { recursive: true })
  await writeFile(pathOf(id), text(lines))
}

const told = async (cursor?: string) => sessionsIn(await harvest(pi, root, cursor))

test('going back in the tree abandons the other branch, with its summary', async () => {
  await write(
    'a',
    header('a'),
    user('1', null, 'Make it 35.'),
    says('2', '1', 'It is 35.'),
    user('3', '2', 'Make it 40.'),
    says('4', '3', 'It is 40.'),
    entry('5', '2', { type: 'branch_summary', fromId: '4', summary: '40 was tried.' }),
    user('6', '5', 'Thanks.'),
  )
  expect(await told()).toMatchObject([
    {
      id: 'a',
      kind: 'main',
      turns: [{ text: 'Make it 35.' }, { text: 'It is 35.' }, { text: 'Thanks.' }],
      abandonedTurns: [{ text: 'Make it 40.' }, { text: 'It is 40.' }],
      compactionSummaries: [{ text: '40 was tried.' }],
    },
  ])
})

test('a cycle of parents ends, and entries of format version 1 are read in order', async () => {
  await write('a', header('a'), user('1', '2', 'Go'), says('2', '1', 'Done.'))
  expect((await told())[0]?.turns.map((turn) => turn.text)).toEqual(['Go', 'Done.'])
  const plain = (line: Line): Line => ({ ...line, id: undefined, parentId: undefined })
  await write('a', header('a', { version: 1 }), plain(user('', '', 'Go')), plain(says('', '', 'Done.')))
  expect((await told())[0]?.turns.map((turn) => turn.text)).toEqual(['Go', 'Done.'])
})

test('a fork is harvested without the turns of its parent, permanently', async () => {
  const shared = [user('1', null, 'One'), says('2', '1', 'First.')]
  const own = { ...user('3', '2', 'Fork'), timestamp: '2026-05-01T12:00:00.000Z' }
  const parentSession = `C:\\Users\\dev\\.pi\\agent\\sessions\\--home-dev-app--\\${nameOf('a')}`
  await write('a', header('a'), ...shared)
  await write('b', header('b', { timestamp: '2026-05-01T11:00:00.000Z', parentSession }), ...shared, own)
  const first = await harvest(pi, root)
  const fork = { id: 'b', kind: 'fork', parentId: 'a', title: 'Fork', turns: [{ text: 'Fork' }] }
  expect(sessionsIn(first)).toMatchObject([{ id: 'a', kind: 'main' }, fork])
  await rm(pathOf('a'))
  await appendFile(pathOf('b'), text([{ ...says('4', '3', 'Forked.'), timestamp: '2026-05-01T12:00:01.000Z' }]))
  expect(await told(cursorOf(first))).toMatchObject([{ id: 'b', turns: [{ text: 'Fork' }, { text: 'Forked.' }] }])
  expect((await told())[0]?.turns.map((turn) => turn.text)).toEqual(['One', 'First.', 'Fork', 'Forked.'])
})

test('files before the prompt, a skill and extension text are not part of a turn', async () => {
  const skill = '<skill name="review" location="/s/SKILL.md">\nA page.\n</skill>\n\nonly src'
  await write(
    'a',
    header('a'),
    user('1', null, '<file name="/home/dev/app/a.md">\nall of it\n</file>\n<file name="b.png"></file>\nExplain both'),
    says('2', '1', 'So.'),
    user('3', '2', [
      { type: 'text', text: skill },
      { type: 'image', data: 'x', mimeType: 'image/png' },
    ]),
    entry('4', '3', { type: 'custom_message', customType: 'x', content: 'Remember the rules.' }),
    entry('5', '4', { message: { role: 'custom', content: 'More rules.' } }),
    user('6', '5', 'What is <skill>?'),
  )
  expect((await told())[0]?.turns).toMatchObject([
    { text: 'Explain both', files: ['/home/dev/app/a.md', 'b.png'] },
    { text: 'So.' },
    { text: 'only src', images: 1 },
    { text: 'What is <skill>?' },
  ])
})

test('records which commands were run, by whom, and their outcome', async () => {
  const call = (id: string, name: string, input: Line): Line => ({ type: 'toolCall', id, name, arguments: input })
  const result = (id: string, parent: string, toolCallId: string, isError: boolean): Line =>
    entry(id, parent, { message: { role: 'toolResult', toolCallId, content: [], isError } })
  const ran = { role: 'bashExecution', command: 'git status', output: '', exitCode: 128 }
  await write(
    'a',
    header('a'),
    user('1', null, 'Go'),
    assistant('2', '1', [
      { type: 'thinking', thinking: 'Hm.' },
      { type: 'text', text: 'Trying.' },
      call('a', 'bash', { command: 'npm test' }),
      call('b', 'edit', { path: '/home/dev/app/src/x.ts', edits: [] }),
      call('c', 'bash', { command: 'sleep 9' }),
    ]),
    result('3', '2', 'a', true),
    result('4', '3', 'b', false),
    entry('5', '4', { message: ran }),
    assistant('6', '5', [], { stopReason: 'aborted' }),
    entry('7', '6', { type: 'session_info', name: 'Coral depth' }),
    entry('8', '7', { type: 'compaction', summary: 'So far: tried.' }),
  )
  expect(await told()).toMatchObject([
    {
      title: 'Coral depth',
      titleFrom: 'custom-title',
      turns: [
        { text: 'Go' },
        {
          text: 'Trying.',
          aborted: true,
          tools: [
            { name: 'bash', ok: false, detail: 'npm test' },
            { name: 'edit', ok: true, detail: 'src/x.ts' },
            { name: 'bash', ok: null, detail: 'sleep 9' },
            { name: 'bash', ok: false, detail: 'git status' },
          ],
        },
      ],
      compactionSummaries: [{ text: 'So far: tried.' }],
    },
  ])
})
