import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { workspaceHash } from '../src/kernel/domain/workspace.ts'
import { KEN } from './ken-program.ts'

// Access of an agent in one repository to the other repositories of its user.
const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-neighbours-')))
const home = join(place, 'home')
const [here, other, unknown] = [join(place, 'here'), join(place, 'other'), join(place, 'unknown')]
const environment = { PATH: process.env['PATH']!, HOME: place, KEN_HOME: home, KEN_TELEMETRY: '0', KEN_UPKEEP: '0' }
let client: Client

const ken = (cwd: string, ...argv: string[]): Record<string, never> =>
  JSON.parse(spawnSync(process.execPath, [KEN, ...argv, '--json'], { cwd, env: environment, encoding: 'utf8' }).stdout)
const file = (path: string, text: string) => {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
}
const call = async (name: string, input: Record<string, unknown> = {}) => {
  const result = await client.callTool({ name, arguments: input })
  return {
    isError: result.isError === true,
    text: (result.content as { text: string }[])[0]!.text,
    data: (result.structuredContent ?? {}) as Record<string, never>,
  }
}
const config = () => readFileSync(join(home, 'config.yml'), 'utf8')

beforeAll(async () => {
  for (const repository of [here, other]) {
    mkdirSync(join(repository, '.git'), { recursive: true })
    const name = repository.split('/').at(-1)!
    ken(repository, 'init', name, '--demo')
    file(
      join(repository, 'src', 'main.ts'),
      `export function narwhal() { return walrus() }\nexport function walrus() { return '${name}' }\n`,
    )
    file(
      join(home, 'sessions', workspaceHash(repository), 'talk.md'),
      `---\nsession: "talk"\nclient: "codex"\nstarted: "2026-02-03T10:00:00.000Z"\nended: "2026-02-03T11:00:00.000Z"\n---\n# talk\n\n## User\n\nThe secret plan of ${name}\n`,
    )
    file(join(place, `papers-${name}`, 'paper.md'), `# Paper\n\nThe private paper of ${name}\n`)
    ken(repository, 'collection', 'add', `papers-${name}`, join(place, `papers-${name}`), '--workspace', repository)
    ken(repository, 'index-codebase')
  }
  file(join(unknown, 'key.ts'), 'export const key = 1\n')
  symlinkSync(unknown, join(here, 'way-out'))
  mkdirSync(join(here, 'inner'), { recursive: true })
  symlinkSync('../../unknown', join(here, 'inner', 'way-out'))
  client = new Client({ name: 'test-agent', version: '9' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [KEN, 'serve', '--stdio', '--toolsets', 'memory,code'],
      cwd: here,
      env: environment,
      stderr: 'pipe',
    }),
  )
  await call('memory_update')
}, 120_000)

afterAll(async () => {
  await client?.close()
  rmSync(place, { recursive: true, force: true })
})

describe('index reads by an agent', () => {
  const GLOBS = [
    '**',
    '**/*',
    '*',
    '{sessions,record,codebase}/**',
    `${home}/sessions/**`,
    `${place}/**`,
    '../**',
    '**/{talk,paper,main}*',
    'sessions/*/talk.md',
    '[!x]**',
  ]

  test.each(GLOBS)('the glob %s stays in the workspace', async (pattern) => {
    const { text, data } = await call('memory_multi_get', { pattern, max_bytes: 10_000_000 })
    expect(text).not.toMatch(/secret plan of other|private paper of other|return 'other'/)
    expect(JSON.stringify(data)).not.toMatch(/papers-other|\/other\/src/)
  })

  test('all documents of its workspace are still found', async () => {
    const { text } = await call('memory_multi_get', { pattern: '**', max_bytes: 10_000_000 })
    for (const own of ['secret plan of here', 'private paper of here', "return 'here'"]) expect(text).toContain(own)
  })

  test('a foreign document is not found by id, path or name', async () => {
    const all = (await call('memory_search', { query: 'secret plan private paper', workspace: 'all', limit: 50 }))
      .data as unknown as { results: { id: string; path: string }[] }
    const foreign = all.results.filter(
      ({ path }) => path.includes(workspaceHash(other)) || path.includes('papers-other'),
    )
    expect(foreign.length).toBeGreaterThanOrEqual(2)
    const names = [
      ...foreign.flatMap(({ id, path }) => [id, id.slice(1), path]),
      'papers-other/paper.md',
      `sessions/${workspaceHash(other)}/talk.md`,
      join(other, 'src', 'main.ts'),
    ]
    for (const id of names) {
      expect(await call('memory_get', { id })).toMatchObject({
        isError: true,
        text: expect.stringContaining('for this workspace'),
      })
      expect((await call('memory_multi_get', { pattern: id })).data).toMatchObject({ documents: [] })
    }
  })

  test('a caller that names other workspaces can read them, as in a search', async () => {
    expect((await call('memory_multi_get', { pattern: 'sessions/**', workspace: 'all' })).text).toMatch(
      /plan of here[\s\S]*plan of other|plan of other[\s\S]*plan of here/,
    )
    expect((await call('memory_get', { id: 'papers-other/paper.md', workspace: other })).text).toContain(
      'private paper of other',
    )
  })

  test('symbols and impact cover only the code of this workspace', async () => {
    const { data } = await call('symbols', { name: 'walrus' })
    expect(data).toMatchObject({ definitions: [{ path: join(here, 'src', 'main.ts') }] })
    expect((await call('symbols', { name: 'walrus', workspace: 'all' })).data).toMatchObject({ definitions: [{}, {}] })
    for (const target of ['walrus', 'src/main.ts', 'main.ts'])
      expect((await call('impact', { target })).text).not.toContain(other)
    expect((await call('impact', { target: join(other, 'src', 'main.ts') })).data).toMatchObject({ kind: 'unknown' })
    expect((await call('impact', { target: 'walrus' })).data).toMatchObject({ kind: 'symbol', ambiguous: [] })
  })

  test('code indexed from a part of a repository belongs to that repository', async () => {
    const parts = join(place, 'parts')
    mkdirSync(join(parts, '.git'), { recursive: true })
    file(join(parts, 'one', 'a.ts'), 'export function onlyPart() {}\n')
    ken(parts, 'index-codebase', join(parts, 'one'))
    expect(ken(parts, 'symbols', 'onlyPart')).toMatchObject({ definitions: [{ name: 'onlyPart' }] })
    expect(ken(here, 'symbols', 'onlyPart')).toMatchObject({ definitions: [] })
  })

  test('a file that became a link since it was indexed is not followed', async () => {
    file(join(place, 'id_rsa'), 'the private key')
    for (const path of [join(here, 'src', 'swapped.ts'), join(place, 'papers-here', 'swapped.md')]) {
      file(path, 'export const otter = 1\n')
      await call('memory_update')
      expect((await call('memory_get', { id: path })).text).toContain('otter')
      rmSync(path)
      symlinkSync(join(place, 'id_rsa'), path)
      expect(await call('memory_get', { id: path })).toMatchObject({ isError: true })
      expect((await call('memory_multi_get', { pattern: '**' })).text).not.toContain('the private key')
      expect((await call('memory_search', { query: 'otter' })).text).not.toContain('the private key')
      rmSync(path)
    }
    await call('memory_update')
  })

  test('memory_status names no folder of another workspace', async () => {
    const { text, data } = await call('memory_status')
    expect(JSON.stringify(data['collections'])).not.toContain('papers-other')
    expect(text).not.toContain(join(place, 'papers-other'))
  })
})

describe('folders that an agent may index', () => {
  test.each([
    ['another folder', unknown],
    ['a link out of the repository', join(here, 'way-out')],
    ['a link further down', join(here, 'inner', 'way-out')],
    ['a way up', join(here, '..', 'unknown')],
    ['the home', place],
    ['the home of Ken', home],
    ['the root', '/'],
    ['a system folder', '/etc'],
    ['nothing that exists', join(here, 'nothing')],
    ['a relative way out', '../unknown'],
    ['a path with a zero byte', `${here}\0`],
    ['a file', join(here, 'src', 'main.ts')],
    ['two folders in one', `${here},/etc`],
  ])('rejects %s', async (_what, root) => {
    const before = config()
    expect(await call('memory_index_codebase', { root })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/outside the repositories that may be indexed from here.*A person can add it/),
    })
    expect(config()).toBe(before)
  })

  test('rejects a folder that the agent only claims to work in', async () => {
    const before = config()
    for (const cwd of [unknown, place, '/', '/etc', home]) {
      expect(await call('memory_index_codebase', { cwd })).toMatchObject({ isError: true })
      expect(await call('memory_index_codebase', { cwd, root: unknown })).toMatchObject({ isError: true })
    }
    expect(config()).toBe(before)
  })

  test('include its own repository and a known one, without a config change if they are already listed', async () => {
    const before = config()
    expect((await call('memory_index_codebase')).data).toMatchObject({ root: here })
    expect((await call('memory_index_codebase', { root: join(here, 'src') })).data).toMatchObject({
      root: join(here, 'src'),
    })
    expect((await call('memory_index_codebase', { root: other })).data).toMatchObject({ root: other })
    expect(config()).toBe(before)
  })

  test('a folder name with a comma is one folder', async () => {
    const third = join(place, 'third')
    mkdirSync(join(third, '.git'), { recursive: true })
    file(join(third, 'x,', 'etc', 'a.ts'), 'export const comma = 1\n')
    ken(third, 'index-codebase', join(third, 'x,', 'etc'))
    const { value } = ken(third, 'config', 'get', 'codebase.roots') as unknown as { value: string[] }
    expect(value).toContain(join(third, 'x,', 'etc'))
    expect(value).not.toContain('/etc')
  })

  test('a listed folder that became a link is skipped and reported', async () => {
    const fourth = join(place, 'fourth')
    file(join(fourth, 'part', 'a.ts'), 'export const before = 1\n')
    ken(fourth, 'index-codebase', join(fourth, 'part'))
    rmSync(join(fourth, 'part'), { recursive: true })
    symlinkSync(unknown, join(fourth, 'part'))
    const { skipped } = ken(fourth, 'update') as unknown as { skipped: { path: string; reason: string }[] }
    expect(skipped).toContainEqual({ path: join(fourth, 'part'), reason: expect.stringContaining('link') })
    expect(ken(fourth, 'search', 'key', '--workspace', 'all', '--origin', 'code')).toMatchObject({ results: [] })
  })
})
