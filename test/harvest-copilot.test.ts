import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { copilot } from '../src/memory/harvest/copilot/index.ts'
import { cursorOf, describeHarvester, harvest, sessionsIn } from './contract/harvester.contract.ts'
import { clock, fixture, lineHand } from './contract/line-hand.ts'

describeHarvester('copilot', {
  open: () => copilot,
  fixture: fixture('copilot'),
  hand(root) {
    const session = '086d481d-c126-4398-a115-51db0ac2d883'
    const tick = clock()
    const event = (type: string, data: object): object => ({
      type,
      data,
      id: `new-${tick()}`,
      timestamp: new Date(tick()).toISOString(),
      parentId: null,
    })
    return lineHand({
      session,
      file: join(root, 'session-state', session, 'events.jsonl'),
      secrets: [join(root, 'config.json'), join(root, 'session-state/.auth.json')],
      lines: (user, assistant) => [
        event('user.message', { content: user, transformedContent: `<current_datetime>now</current_datetime>${user}` }),
        event('assistant.message', { content: assistant, toolRequests: [] }),
      ],
    })
  },
})

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-copilot-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

let ids = 0
const event = (type: string, data: Line = {}, more: Line = {}): Line => ({
  type,
  data,
  id: `e${ids++}`,
  timestamp: '2026-05-01T10:00:00.000Z',
  parentId: null,
  ...more,
})
const asks = (content: string, more: Line = {}): Line => event('user.message', { content, ...more })
const says = (content: string, toolRequests: readonly Line[] = []): Line =>
  event('assistant.message', { content, toolRequests })
const text = (lines: readonly Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const LOG = 'session-state/s-1/events.jsonl'

async function write(lines: readonly Line[], path = LOG): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text(lines))
}

const told = async (cursor?: string) => sessionsIn(await harvest(copilot, root, cursor))

test('text that the client writes in the user’s name is not a user turn', async () => {
  await write([
    asks('Go', { transformedContent: '<current_datetime>now</current_datetime>\n\nGo' }),
    asks('A page about PDF files', { source: 'skill-pdf' }),
    asks('And this', { delivery: 'queued' }),
    says('Done.'),
  ])
  expect((await told())[0]?.turns).toMatchObject([
    { text: 'Go' },
    { text: 'And this', queued: true },
    { text: 'Done.' },
  ])
})

test('a command has failed if its exit code, in a field or at the end of its text, is not 0', async () => {
  const call = (toolCallId: string, name: string, input: Line): Line => ({ toolCallId, name, arguments: input })
  const done = (toolCallId: string, content: string, more: Line = {}): Line =>
    event('tool.execution_complete', { toolCallId, success: true, result: { content }, ...more })
  await write([
    asks('Go'),
    says('Trying.', [
      call('1', 'bash', { command: 'npm test' }),
      call('2', 'bash', { command: 'npm run lint' }),
      call('3', 'view', { path: '/srv/app/log' }),
      call('4', 'edit', { path: '/srv/app/x.ts', old_str: 'a', new_str: 'b' }),
      call('5', 'bash', { command: 'sleep 9' }),
    ]),
    done('1', 'no', { shellExecution: { exitCode: 1 } }),
    done('2', 'no\n<shellId: 0 completed with exit code 2>'),
    done('3', 'Exit Code: 1'),
    event('tool.execution_complete', { toolCallId: '4', success: false, error: { message: 'no match' } }),
    // Commands that the user runs at the prompt belong to no message.
    event('tool.execution_start', { toolCallId: '6', toolName: 'bash', arguments: { command: 'git status' } }),
    done('6', '', { shellExecution: { exitCode: 0 } }),
  ])
  expect((await told())[0]?.turns[1]).toMatchObject({
    tools: [
      { name: 'bash', ok: false, detail: 'npm test' },
      { name: 'bash', ok: false, detail: 'npm run lint' },
      { name: 'view', ok: true, detail: '/srv/app/log' },
      { name: 'edit', ok: false, detail: '/srv/app/x.ts' },
      { name: 'bash', ok: null, detail: 'sleep 9' },
      { name: 'bash', ok: true, detail: 'git status' },
    ],
  })
})

test('rewound turns are removed, a summary is not a turn, an abort is reported', async () => {
  const [taken, wrong] = [asks('Make it 40.'), says('It is 40.')]
  await write([
    asks('Make it 35.'),
    says('It is 35.'),
    taken,
    wrong,
    event('session.snapshot_rewind', { upToEventId: taken.id, eventsRemoved: 2 }),
    event('session.compaction_complete', { success: false, error: 'Compaction Cancelled' }),
    event('session.compaction_complete', { success: true, summaryContent: 'So far: 35.' }),
    asks('Thanks.'),
    event('abort', { reason: 'user' }),
    event('session.snapshot_rewind', { upToEventId: 'nobody' }),
  ])
  expect((await told())[0]).toMatchObject({
    turns: [{ text: 'Make it 35.' }, { text: 'It is 35.' }, { text: 'Thanks.', aborted: true }],
    abandonedTurns: [{ text: 'Make it 40.' }, { text: 'It is 40.' }],
    compactionSummaries: [{ text: 'So far: 35.' }],
  })
})

describe('a session with sub-agents', () => {
  const agent = { agentId: 'a-1' }
  const lines = [
    asks('Go'),
    event('subagent.started', { agentDisplayName: 'coral', agentDescription: 'Look at the coral' }, agent),
    event('user.message', { content: 'Look.', source: 'agent-s-1' }, agent),
    event('assistant.message', { content: 'Seen.' }, agent),
    says('Done.'),
  ]
  const ours = { id: 's-1', kind: 'main', turns: [{ text: 'Go' }, { text: 'Done.' }] }
  const theirs = { id: 's-1/a-1', kind: 'subagent', parentId: 's-1', title: 'Look at the coral' }

  test('yields one session per sub-agent, and changes only if there are new turns', async () => {
    await write(lines)
    const first = await harvest(copilot, root)
    expect(sessionsIn(first)).toMatchObject([ours, { ...theirs, turns: [{ text: 'Look.' }, { text: 'Seen.' }] }])
    expect(await harvest(copilot, root, cursorOf(first))).toEqual([{ kind: 'cursor', cursor: cursorOf(first) }])
    await appendFile(join(root, LOG), text([asks('More')]))
    const second = await harvest(copilot, root, cursorOf(first))
    expect(sessionsIn(second).map(({ id }) => id)).toEqual(['s-1'])
    await appendFile(join(root, LOG), text([event('assistant.message', { content: 'Seen more.' }, agent)]))
    expect((await told(cursorOf(second))).map(({ id }) => id)).toEqual(['s-1/a-1'])
  })

  test('identifies sub-agents without an id by the call that started them', async () => {
    const data = { content: 'Seen.', parentToolCallId: 'call-7' }
    await write([asks('Go'), event('assistant.message', data), says('Done.')])
    expect(await told()).toMatchObject([ours, { id: 's-1/call-7', kind: 'subagent', turns: [{ text: 'Seen.' }] }])
  })
})

test('a name given later is a change; the first prompt is not a name; a single log file is a session', async () => {
  await write([asks('Set the depth to 35 and run all the tests'), says('Done.')])
  await write([asks('Go')], 'session-state/s-2.jsonl')
  const name = (yaml: string) => writeFile(join(root, 'session-state/s-1/workspace.yaml'), yaml)
  await name('name: Set the depth to 35...\nuser_named: false\n')
  const first = await harvest(copilot, root)
  expect(sessionsIn(first)).toMatchObject([
    { id: 's-1', titleFrom: 'first-prompt', title: 'Set the depth to 35 and run all the tests' },
    { id: 's-2', turns: [{ text: 'Go' }] },
  ])
  await name("name: 'Coral: depth'\nuser_named: true\n")
  const second = await harvest(copilot, root, cursorOf(first))
  expect(sessionsIn(second)).toMatchObject([{ id: 's-1', title: 'Coral: depth', titleFrom: 'custom-title' }])
  await name(`name: [${'['.repeat(500)}`)
  expect(await told(cursorOf(second))).toMatchObject([{ id: 's-1', titleFrom: 'first-prompt' }])
})
