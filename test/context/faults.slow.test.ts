import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContext } from '../../src/app/open-context.ts'
import { SETTINGS } from '../../src/app/settings.ts'
import { openYamlTrust } from '../../src/context/adapters/yaml-trust.ts'
import { compileContext } from '../../src/context/compile-context.ts'
import { unframe } from '../../src/context/domain/context-project/framed-file.ts'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import type { ContextProject } from '../../src/context/ports/context-project.ts'
import type { Source } from '../../src/context/ports/source.ts'
import { AppError } from '../../src/kernel/domain/errors.ts'
import { sha256 } from '../../src/kernel/domain/sha256.ts'
import { openYamlSettings } from '../../src/kernel/system/settings.ts'
import { KEN } from '../ken-program.ts'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
  desk.sqlite('shop.db', ...Array.from({ length: 30 }, (_, i) => `CREATE TABLE t${i} (id INTEGER, name TEXT)`))
  desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }] })
  desk.write(`${tableFolder('shop', 't3')}/mine.md`, 'by hand\n')
})
afterEach(() => desk.close())

/** Every generated file is complete: its text matches the hash in its frontmatter. */
function expectWholeFiles(): void {
  const framed = Object.entries(desk.files()).filter(([, text]) => text.startsWith('---\ngenerated_by: ken/'))
  const broken = framed
    .filter(([, text]) => !text.includes(`\ncontent_hash: ${sha256(unframe(text) ?? '').slice(0, 16)}\n`))
    .map(([path]) => path)
  expect(broken).toEqual([])
  expect(desk.read(`${tableFolder('shop', 't3')}/mine.md`)).toBe('by hand\n')
}

/** Builds the same project with some parts failing. */
async function build(change: (project: ContextProject) => ContextProject) {
  const projects = await openContext({
    environment: {},
    cache: desk.path('../cache'),
    state: desk.path('../home/contexts'),
    trust: openYamlTrust(desk.path('../home/trusted.yaml')),
    settings: openYamlSettings({
      path: desk.path('../home/config.yml'),
      definitions: SETTINGS,
      environment: {},
      warn: () => {},
    }),
  })
  const project = change(await projects.around(desk.root))
  try {
    return await compileContext(project, {
      only: [],
      threads: 4,
      write: true,
      force: false,
      now: () => new Date(),
      language: async () => undefined,
      signal: undefined,
      progress: () => {},
    })
  } finally {
    await projects.close()
  }
}

test('items that do not fit on a full disk fail, and the next run writes them', async () => {
  let room = 40
  const full = new AppError('unavailable', 'the disk is full')
  const report = await build((project) => ({
    ...project,
    tree: {
      ...project.tree,
      write: (path, text) => (room-- > 0 ? project.tree.write(path, text) : Promise.reject(full)),
    },
  }))
  expect(report.failures.length).toBeGreaterThan(0)
  expectWholeFiles()
  const next = await desk.sync()
  expect(syncSources.exit(next)).toBe(0)
  expect(next.kept).toEqual([])
  expect(Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))).toHaveLength(30)
  expectWholeFiles()
  expect((await desk.sync()).due).toEqual([])
})

test('items of a source that fails midway are kept, and the rest is fetched next time', async () => {
  let answers = 12
  const breaking = (source: Source): Source => ({
    ...source,
    fetch: (item) =>
      answers-- > 0 ? source.fetch(item) : Promise.reject(new AppError('unavailable', 'the connection was lost')),
  })
  const report = await build((project) => ({
    ...project,
    sources: project.sources.map((entry) => ({ ...entry, open: async () => breaking(await entry.open()) })),
  }))
  expect(report.failures).toHaveLength(18)
  expect(Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))).toHaveLength(12)
  expectWholeFiles()
  const next = await desk.sync()
  expect(next.due).toHaveLength(18)
  expect(syncSources.exit(next)).toBe(0)
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s midway leaves complete files, and the next run resumes from there',
  async (signal) => {
    const ken = spawn(process.execPath, [KEN, 'sync', '-t', '1'], {
      cwd: desk.root,
      env: { ...process.env, KEN_HOME: desk.path('../home'), KEN_TELEMETRY: '0' },
      stdio: 'ignore',
    })
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
      ken.once('exit', (code, by) => resolve(by ?? code)),
    )
    const written = () => readdirSync(desk.path(tableFolder('shop', 't3').replace(/\/[^/]*$/, ''))).length
    while (ken.exitCode === null && written() < 4) await wait(5)
    ken.kill(signal)
    // On a busy machine it may have finished before the signal arrived.
    expect([signal === 'SIGINT' ? 130 : signal, 0]).toContain(await ended)
    expectWholeFiles()
    const next = await desk.sync()
    expect(syncSources.exit(next)).toBe(0)
    expect(next.kept).toEqual([])
    expect(Object.keys(desk.files()).filter((path) => path.endsWith('.tmp'))).toEqual([])
    expect(Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))).toHaveLength(30)
    expectWholeFiles()
  },
)

test('a second run with several threads writes nothing, regardless of the order in which the tables were finished', async () => {
  await desk.sync({ threads: 8 })
  const before = desk.times()
  await desk.sync()
  expect(desk.times()).toEqual(before)
})

test('one of two concurrent runs exits at once with a message, and nothing is lost', async () => {
  const outcomes = await Promise.allSettled([desk.sync(), desk.sync()])
  expect(outcomes.filter((one) => one.status === 'fulfilled').length).toBeGreaterThan(0)
  for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'conflict' })
  expectWholeFiles()
})

test('a file in the place of a folder is kept and fails only that table', async () => {
  desk.write(tableFolder('shop', 't7'), 'a file\n')
  const output = await desk.sync()
  expect(output.failures).toMatchObject([{ item: 'main.t7' }])
  expect(statSync(desk.path(tableFolder('shop', 't7'))).isFile()).toBe(true)
  expect(Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))).toHaveLength(29)
})
