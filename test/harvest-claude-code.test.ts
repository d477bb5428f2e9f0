import { appendFile, copyFile, mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { HarvestedSession } from '../src/memory/domain/session/session.ts'
import { claudeCode } from '../src/memory/harvest/claude-code/index.ts'
import { cursorOf, harvest, sessionsIn } from './contract/harvester.contract.ts'

const harvester = claudeCode
let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'ken-claude-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

type Line = Record<string, unknown>

/**
 * Records of a conversation, each the child of the previous one unless it names another; ids contain the second they
 * were written in.
 */
function lines(...records: readonly Line[]): Line[] {
  let parentUuid: unknown = null
  return records.map((line) => {
    const uuid = String(line.uuid)
    const full = {
      parentUuid,
      isSidechain: false,
      timestamp: `2026-05-01T10:00:${uuid.slice(1).padStart(2, '0')}.000Z`,
      cwd: '/home/dev/app',
      ...line,
    }
    parentUuid = uuid
    return full
  })
}

const user = (uuid: string, content: unknown, more: Line = {}): Line => ({
  uuid,
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const assistant = (uuid: string, id: string, block: Line): Line => ({
  uuid,
  type: 'assistant',
  message: { id, content: [block] },
})
const says = (uuid: string, text: string, more: Line = {}): Line => ({
  ...assistant(uuid, `m-${uuid}`, { type: 'text', text }),
  ...more,
})
const uses = (uuid: string, id: string, message: string): Line =>
  assistant(uuid, message, { type: 'tool_use', id, name: `Tool${id}` })
const result = (uuid: string, id: string, parentUuid: string, isError = false): Line =>
  user(uuid, [{ type: 'tool_result', tool_use_id: id, content: 'x', is_error: isError }], { parentUuid })

const pathOf = (session: string): string => join(root, 'projects/-home-dev-app', `${session}.jsonl`)

async function write(session: string, records: readonly Line[]): Promise<void> {
  await mkdir(dirname(pathOf(session)), { recursive: true })
  await writeFile(pathOf(session), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
}

async function sessions(cursor?: string): Promise<Map<string, HarvestedSession>> {
  return new Map(sessionsIn(await harvest(harvester, root, cursor)).map((session) => [session.id, session]))
}

const texts = (session: HarvestedSession | undefined): (string | undefined)[] | undefined =>
  session?.turns.map((turn) => turn.text)

test('a call that the user refused is marked, even if no text follows', async () => {
  const refusal = user(
    'u3',
    [
      {
        type: 'tool_result',
        tool_use_id: 'A',
        content: "The user doesn't want to proceed with this tool use. The tool use was rejected.",
        is_error: true,
      },
    ],
    { parentUuid: 'u2' },
  )
  await write('s', lines(user('u1', 'Go'), uses('u2', 'A', 'm1'), refusal))
  expect((await sessions()).get('s')?.turns[1]).toMatchObject({
    role: 'assistant',
    text: '',
    tools: [{ name: 'ToolA', ok: false, refused: true }],
  })
})

describe('the live branch', () => {
  test('parallel tool calls are not branches: every call and its outcome is kept', async () => {
    const calls = [uses('u2', 'A', 'm1'), uses('u3', 'B', 'm1'), result('u4', 'B', 'u3', true), result('u5', 'A', 'u2')]
    await write('s', lines(user('u1', 'Go'), ...calls, says('u6', 'Done.')))
    expect((await sessions()).get('s')).toMatchObject({
      turns: [
        { text: 'Go' },
        {
          text: 'Done.',
          tools: [
            { name: 'ToolA', ok: true },
            { name: 'ToolB', ok: false },
          ],
        },
      ],
      abandonedTurns: [],
    })
  })

  test('a prompt queued on a side arm of parallel calls is still a turn', async () => {
    const queued = {
      uuid: 'u5',
      parentUuid: 'u4',
      type: 'attachment',
      attachment: { type: 'queued_command', prompt: 'Also this.' },
    }
    const calls = [
      uses('u2', 'A', 'm1'),
      uses('u3', 'B', 'm1'),
      result('u4', 'B', 'u3'),
      queued,
      result('u6', 'A', 'u2'),
    ]
    await write('s', lines(user('u1', 'Go'), ...calls, says('u7', 'Done.')))
    expect((await sessions()).get('s')?.turns.map((turn) => [turn.text, 'queued' in turn])).toEqual([
      ['Go', false],
      ['Also this.', true],
      ['Done.', false],
    ])
  })

  test('turns before a damaged line in the middle are kept', async () => {
    await write(
      's',
      lines(user('u1', 'One'), says('u2', 'First.'), user('u3', 'Two'), says('u4', 'Second.')).filter(
        (line) => line.uuid !== 'u3',
      ),
    )
    await appendFile(pathOf('s'), '{"uuid": broken\n')
    expect((await sessions()).get('s')).toMatchObject({
      turns: [{ text: 'One' }, { text: 'First.\n\nSecond.' }],
      abandonedTurns: [],
      badLines: 1,
    })
  })

  test('an edited first prompt leaves the old one abandoned', async () => {
    await write(
      's',
      lines(
        user('u1', 'Old'),
        says('u2', 'Old answer.'),
        user('u3', 'New', { parentUuid: null }),
        says('u4', 'New answer.'),
      ),
    )
    const session = (await sessions()).get('s')
    expect(texts(session)).toEqual(['New', 'New answer.'])
    expect(session?.abandonedTurns.map((turn) => turn.text)).toEqual(['Old', 'Old answer.'])
    expect(session?.title).toBe('New')
  })

  test('a cyclic chain ends', async () => {
    await write('s', lines(user('u1', 'One', { parentUuid: 'u2' }), says('u2', 'First.', { parentUuid: 'u1' })))
    expect(texts((await sessions()).get('s'))).toEqual(['One', 'First.'])
  })
})

describe('noise', () => {
  test.each([
    ['a reminder', '<system-reminder>Be brief.</system-reminder>'],
    ['a slash command', '<command-name>/clear</command-name>'],
    ['output of a command', '<local-command-stdout>ok</local-command-stdout>'],
    ['a shell escape', '<bash-input>ls</bash-input>'],
    ['an interruption', '[Request interrupted by user for tool use]'],
    ['an open file of the editor', '<ide_opened_file>The user opened a.ts</ide_opened_file>'],
    ['context of a hook', '<user-prompt-submit-hook>memory</user-prompt-submit-hook>'],
  ])('%s is not a turn', async (_, text) => {
    await write(
      's',
      lines(user('u1', 'Go'), user('u2', text), user('u3', [{ type: 'text', text }]), says('u4', 'Done.')),
    )
    expect(texts((await sessions()).get('s'))).toEqual(['Go', 'Done.'])
  })

  test.each([
    ['meta records', { isMeta: true }],
    ['records of another origin', { origin: { kind: 'task-notification' } }],
    ['side chains', { isSidechain: true }],
  ])('%s are not turns', async (_, more) => {
    await write('s', lines(user('u1', 'Go'), user('u2', 'Not me', more), says('u3', 'Done.', { parentUuid: 'u1' })))
    expect(texts((await sessions()).get('s'))).toEqual(['Go', 'Done.'])
  })
})

describe('forks', () => {
  const shared = lines(user('u1', 'One'), says('u2', 'First.'))
  const grown = (uuid: string, text: string): Line[] => lines(...shared, user(uuid, text), says(`${uuid}1`, `${text}!`))

  test('are found when they appear after their parent was harvested, and never reported twice', async () => {
    await write('parent', shared)
    const first = await harvest(harvester, root)
    await write('fork', grown('u3', 'Fork'))
    const second = await harvest(harvester, root, cursorOf(first))
    expect(sessionsIn(second)).toMatchObject([
      { id: 'fork', kind: 'fork', parentId: 'parent', turns: [{ text: 'Fork' }, { text: 'Fork!' }] },
    ])

    await write('parent', grown('u4', 'Parent'))
    await appendFile(
      pathOf('fork'),
      `${JSON.stringify(says('u5', 'More.', { parentUuid: 'u31', timestamp: '2026-05-01T11:00:00.000Z' }))}\n`,
    )
    const third = await sessions(cursorOf(second))
    expect(texts(third.get('parent'))).toEqual(['One', 'First.', 'Parent', 'Parent!'])
    expect(texts(third.get('fork'))).toEqual(['Fork', 'Fork!\n\nMore.'])
  })

  test('stay forks after the client has deleted their parent', async () => {
    await write('parent', shared)
    await write('fork', grown('u3', 'Fork'))
    const cursor = cursorOf(await harvest(harvester, root))
    await rm(pathOf('parent'))
    await appendFile(pathOf('fork'), `${JSON.stringify(says('u5', 'More.', { parentUuid: 'u31' }))}\n`)
    const told = sessionsIn(await harvest(harvester, root, cursor))
    expect(told).toMatchObject([
      { id: 'fork', kind: 'fork', parentId: 'parent', turns: [{ text: 'Fork' }, { text: 'Fork!\n\nMore.' }] },
    ])
  })

  test('the file that diverged first is the original of two files with the same beginning', async () => {
    await write('a-fork', grown('u30', 'Later'))
    await write('z-parent', grown('u3', 'Earlier'))
    const told = await sessions()
    expect(told.get('z-parent')).toMatchObject({ kind: 'main' })
    expect(told.get('a-fork')).toMatchObject({ kind: 'fork', parentId: 'z-parent' })
  })

  test('a fork of a fork has the first fork as its parent', async () => {
    await write('a', shared)
    await write('b', grown('u3', 'B'))
    await write('c', lines(...grown('u3', 'B'), user('u40', 'C')))
    const told = await sessions()
    expect(told.get('b')).toMatchObject({ kind: 'fork', parentId: 'a' })
    expect(told.get('c')).toMatchObject({ kind: 'fork', parentId: 'b' })
    expect(texts(told.get('c'))).toEqual(['C'])
  })

  test('are skipped if they have no new turns, with their parent named', async () => {
    await write('a', shared)
    await write('b', shared)
    const events = await harvest(harvester, root)
    const skipped = events.filter((event) => event.kind === 'skipped')
    expect(skipped).toMatchObject([
      { path: 'projects/-home-dev-app/b.jsonl', why: 'empty', reason: expect.stringContaining('Session a') },
    ])
  })
})

describe('sub-agents', () => {
  test('beside their parent are linked by the session they name', async () => {
    await write(
      'agent-7',
      lines(user('u1', 'Look', { isSidechain: true, sessionId: 'main-1' }), says('u2', 'Seen.', { isSidechain: true })),
    )
    const told = [...(await sessions()).values()]
    expect(told).toMatchObject([
      { id: 'main-1/agent-7', kind: 'subagent', parentId: 'main-1', turns: [{ text: 'Look' }, { text: 'Seen.' }] },
    ])
  })
})

describe('files beside a transcript', () => {
  test('a title given later is a change', async () => {
    await write('s', lines(user('u1', 'Go'), says('u2', 'Done.')))
    const first = await harvest(harvester, root)
    await mkdir(join(root, 'projects/-home-dev-app/s'))
    await writeFile(join(root, 'projects/-home-dev-app/s/custom-title.json'), '{"customTitle":"Pears"}')
    expect(sessionsIn(await harvest(harvester, root, cursorOf(first)))).toMatchObject([
      { id: 's', title: 'Pears', titleFrom: 'custom-title' },
    ])
  })

  test('a line changed in place far from the beginning is read again', async () => {
    const records = lines(user('u1', 'x'.repeat(9000)), says('u2', 'Done.'))
    await write('s', records)
    const first = await harvest(harvester, root)
    await write('s', [records[0]!, { ...records[1], ...says('u2', 'Gone.') }])
    await utimes(pathOf('s'), 1_900_000_000, 1_900_000_000)
    expect(texts(sessionsIn(await harvest(harvester, root, cursorOf(first)))[0])?.at(-1)).toBe('Gone.')
  })

  test('the same lines in a new file are not a change, even with a partial line appended', async () => {
    await write('s', lines(user('u1', 'Go'), says('u2', 'Done.')))
    const first = await harvest(harvester, root)
    await copyFile(pathOf('s'), `${pathOf('s')}.new`)
    await appendFile(`${pathOf('s')}.new`, '{"type": "us')
    await rename(`${pathOf('s')}.new`, pathOf('s'))
    expect((await harvest(harvester, root, cursorOf(first))).map((event) => event.kind)).toEqual(['cursor'])
  })

  test('a file replaced by a shorter one is read again', async () => {
    await write('s', lines(user('u1', 'Go'), says('u2', 'Done.'), user('u3', 'More')))
    const first = await harvest(harvester, root)
    await write('s', lines(user('u7', 'Other')))
    expect(sessionsIn(await harvest(harvester, root, cursorOf(first)))).toMatchObject([
      { id: 's', turns: [{ text: 'Other' }] },
    ])
  })
})
