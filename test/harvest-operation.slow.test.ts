import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openSessionFiles } from '../src/memory/adapters/files-sessions.ts'
import { OPERATIONS } from '../src/operations/all.ts'
import { call } from '../src/operations/call.ts'
import { KEN } from './ken-program.ts'
import {
  daysAgo,
  filesBelow,
  FIXTURES,
  openUpkeepDesk,
  speak,
  stampsBelow,
  transcriptPath,
  type UpkeepDesk,
} from './upkeep/desk.ts'

const HOMES = ['claude-code', 'codex', 'gemini', 'opencode-json', 'opencode-sqlite']
const desks: UpkeepDesk[] = []
const openDesk = (...fixtures: string[]): UpkeepDesk => {
  const desk = openUpkeepDesk(...fixtures)
  desks.push(desk)
  return desk
}
afterEach(async () => {
  for (const desk of desks.splice(0)) await desk.close()
})

const hash12 = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
const numbers = (output: Record<string, any>, client = 'claude-code') => {
  const {
    new: added,
    changed,
    unchanged,
    expired,
    buried,
    emptied,
  } = output['clients'].find((each: { client: string }) => each.client === client)
  return { added, changed, unchanged, expired, buried, emptied }
}
const NONE = { added: 0, changed: 0, unchanged: 0, expired: 0, buried: 0, emptied: 0 }

describe('a home with the logs of an agent', () => {
  test.each(HOMES)(
    '%s: every session becomes one file in its workspace, and a second harvest does nothing',
    async (name) => {
      const desk = openDesk(name)
      const expected = JSON.parse(readFileSync(join(FIXTURES, name, 'expected.json'), 'utf8')) as {
        client: string
        sessions: { id: string; projectDir?: string | null }[]
      }
      const before = stampsBelow(desk.home).filter((line) => !line.startsWith('.ken'))
      expect(numbers(await desk.run('harvest'), expected.client)).toEqual({ ...NONE, added: expected.sessions.length })
      const files = desk.sessions()
      expect(
        Object.values(files)
          .map(({ session }) => session)
          .sort(),
      ).toEqual(expected.sessions.map(({ id }) => id).sort())
      for (const [path, { session, workspace }] of Object.entries(files)) {
        const { projectDir } = expected.sessions.find(({ id }) => id === session)!
        expect(path.split('/')[0]).toBe(workspace)
        if (projectDir) expect(workspace).toBe(hash12(projectDir))
      }
      const written = stampsBelow(join(desk.kenHome, 'sessions'))
      expect(numbers(await desk.run('harvest'), expected.client)).toEqual(NONE)
      expect(stampsBelow(join(desk.kenHome, 'sessions'))).toEqual(written)
      expect(stampsBelow(desk.home).filter((line) => !line.startsWith('.ken'))).toEqual(before)
    },
  )

  test('a harvest indexes its text, and a search finds it', async () => {
    const desk = openDesk('gemini')
    expect((await desk.run('harvest'))['indexed']).toMatchObject({ added: 5 })
    const { results } = await desk.run('memory_search', { query: 'coral layer depth', workspace: 'all' })
    expect(results[0]).toMatchObject({ title: 'Coral layer depth limit', origin: 'session', trust: 'learned' })
  })

  test('a stopped harvest keeps its stored sessions, and the next one adds the rest', async () => {
    const desk = openDesk('claude-code')
    const stop = new AbortController()
    const harvest = OPERATIONS.find(({ name }) => name === 'harvest')!
    await expect(
      call({ ...desk.context(), signal: stop.signal, progress: () => stop.abort() }, harvest, {}),
    ).rejects.toMatchObject({ code: 'stopped' })
    expect(Object.keys(desk.sessions())).toHaveLength(1)
    expect(numbers(await desk.run('harvest'))['added']).toBeGreaterThan(0)
  })

  test('only the named clients are read, and an unknown name is refused', async () => {
    const desk = openDesk('claude-code', 'codex')
    await desk.run('harvest', { client: ['codex'] })
    expect(new Set(Object.values(desk.sessions()).map(({ client }) => client))).toEqual(new Set(['codex']))
    await expect(desk.run('harvest', { client: ['clippy'] })).rejects.toThrow(/clippy/)
    await desk.set('harvest.clients', 'claude-code, clippy')
    expect((await desk.run('harvest'))['clients'].map(({ client }: { client: string }) => client)).toEqual([
      'claude-code',
    ])
  })

  test('a dry run counts and writes nothing, and the harvest after it finds everything', async () => {
    const desk = openDesk('codex')
    expect(numbers(await desk.run('harvest', { dry_run: true }), 'codex')).toEqual({ ...NONE, added: 8 })
    expect(existsSync(join(desk.kenHome, 'sessions'))).toBe(false)
    expect(numbers(await desk.run('harvest'), 'codex')).toEqual({ ...NONE, added: 8 })
  })
})

describe('one session', () => {
  const first = {
    id: 'aaaaaaaa-0000',
    at: '2026-05-01T10:00:00Z',
    said: [['Which port?', 'Port 80.']] as [string, string][],
  }

  test('is written again when it continues, and a new title moves its file', async () => {
    const desk = openDesk()
    speak(desk.home, first)
    await desk.run('harvest')
    const [before] = Object.keys(desk.sessions())
    speak(desk.home, { ...first, title: 'The port', said: [...first.said, ['And the host?', 'Localhost.']] })
    expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, changed: 1 })
    const [after, ...more] = Object.keys(desk.sessions())
    expect(more).toEqual([])
    expect(after).toMatch(/-the-port-[0-9a-f]{12}\.md$/)
    expect(after).not.toBe(before)
    expect(Object.values(desk.sessions())[0]!.turns.map(({ text }) => text)).toEqual([
      'Which port?',
      'Port 80.',
      'And the host?',
      'Localhost.',
    ])
    expect((await desk.run('memory_search', { query: 'localhost', workspace: 'all' }))['results']).toHaveLength(1)
  })

  test('has its copy removed if no turns are left', async () => {
    const desk = openDesk()
    speak(desk.home, first)
    await desk.run('harvest')
    writeFileSync(
      transcriptPath(desk.home, first.id),
      `${JSON.stringify({ type: 'summary', summary: 'x', leafUuid: 'y' })}\n`,
    )
    expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, emptied: 1 })
    expect(desk.sessions()).toEqual({})
  })

  test('is stored under global if it has no project directory', async () => {
    const desk = openDesk()
    speak(desk.home, { ...first, cwd: '' })
    await desk.run('harvest')
    expect(Object.keys(desk.sessions())[0]).toMatch(/^global\//)
  })

  test('is not harvested if it ended before the retention period', async () => {
    const desk = openDesk()
    await desk.set('storage.retention', '30d')
    speak(desk.home, { ...first, id: 'old', at: daysAgo(31) })
    speak(desk.home, { ...first, id: 'new', at: daysAgo(29) })
    expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, added: 1, expired: 1 })
    await desk.set('storage.retention', '60d')
    expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, added: 1, unchanged: 1 })
    expect(numbers(await desk.run('harvest'))).toEqual(NONE)
  })

  test('is stored without its secrets, wherever they occur', async () => {
    const desk = openDesk()
    const secret = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_')
    speak(desk.home, {
      ...first,
      title: `Use ${secret}`,
      said: [
        [`The token is ${secret}`, `I will use ${secret} then.`],
        ['Thanks', 'Done.'],
      ],
    })
    const output = await desk.run('harvest')
    expect(output['clients'][0].redactions).toBeGreaterThanOrEqual(3)
    for (const path of filesBelow(desk.kenHome))
      expect({ path, told: readFileSync(join(desk.kenHome, path)).includes(secret.slice(4)) }).toEqual({
        path,
        told: false,
      })
    expect(filesBelow(join(desk.kenHome, 'sessions')).join()).not.toContain('0123456789')
    expect(Object.values(desk.sessions())[0]!.turns).toHaveLength(4)
  })
})

describe('an interrupted harvest', () => {
  test('killed between files and cursor is repeated, without losing or duplicating anything', async () => {
    const desk = openDesk('claude-code')
    const killed = spawnSync(process.execPath, [join(import.meta.dirname, 'upkeep/die-before-cursor.ts')], {
      cwd: desk.home,
      env: desk.environment,
      encoding: 'utf8',
    })
    expect({ signal: killed.signal, stderr: killed.stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
    const written = stampsBelow(join(desk.kenHome, 'sessions'))
    expect(written).toHaveLength(9)
    expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, unchanged: 9 })
    expect(stampsBelow(join(desk.kenHome, 'sessions'))).toEqual(written)
    expect(numbers(await desk.run('harvest'))).toEqual(NONE)
  })

  test('writes nothing on a full disk and recovers once there is space', async () => {
    const desk = openDesk('codex')
    const archive = openSessionFiles({ root: join(desk.kenHome, 'sessions'), freeSpace: async () => 50 * 1024 ** 2 })
    await expect(desk.run('harvest', {}, { archive })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('50 MB'),
    })
    expect(existsSync(join(desk.kenHome, 'sessions'))).toBe(false)
    expect(numbers(await desk.run('harvest'), 'codex')).toEqual({ ...NONE, added: 8 })
  })

  test('is not prevented by an unknown amount of free space', async () => {
    const desk = openDesk('codex')
    const archive = openSessionFiles({
      root: join(desk.kenHome, 'sessions'),
      freeSpace: () => Promise.reject(new Error('ENOSYS')),
    })
    expect(numbers(await desk.run('harvest', {}, { archive }), 'codex')).toEqual({ ...NONE, added: 8 })
  })
})

test('four concurrent processes harvest every session once', async () => {
  const desk = openDesk(...HOMES)
  const codes = await Promise.all(
    [1, 2, 3, 4].map(
      () =>
        new Promise<{ code: number | null; told: string }>((resolve) => {
          const child = spawn(process.execPath, [KEN, 'harvest', '--json'], { cwd: desk.home, env: desk.environment })
          let told = ''
          child.stdout.on('data', (data: Buffer) => (told += String(data)))
          child.stderr.on('data', (data: Buffer) => (told += String(data)))
          child.on('close', (code) => resolve({ code, told }))
        }),
    ),
  )
  for (const { code, told } of codes) expect({ code, told: code === 0 ? '' : told }).toEqual({ code: 0, told: '' })
  const added = codes
    .flatMap(({ told }) => JSON.parse(told).clients as { new: number }[])
    .reduce((sum, each) => sum + each.new, 0)
  expect(added).toBe(Object.keys(desk.sessions()).length)
  expect(
    (await desk.run('harvest'))['clients'].every(
      (each: { new: number; changed: number }) => each.new + each.changed === 0,
    ),
  ).toBe(true)
}, 120_000)

test('questions that Ken itself asked a client are not a session', async () => {
  const desk = openDesk()
  const said = [['How much is it in all?', 'The total is 6.5.']] as const
  speak(desk.home, { id: 'asked', cwd: '/elsewhere/.ken/agent-clients/claude-code', at: daysAgo(1), said })
  speak(desk.home, { id: 'worked', cwd: '/home/ada/agent-clients/claude-code', at: daysAgo(1), said })
  expect(numbers(await desk.run('harvest'))).toEqual({ ...NONE, added: 1 })
})
