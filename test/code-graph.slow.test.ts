import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { KEN } from './ken-program.ts'

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-graph-')))
const root = join(place, 'app')
const run = (...argv: string[]) =>
  spawnSync(process.execPath, [KEN, ...argv], {
    cwd: root,
    env: { PATH: process.env['PATH']!, HOME: place, KEN_HOME: join(place, 'home'), KEN_TELEMETRY: '0' },
    encoding: 'utf8',
  })
const ken = (...argv: string[]) => JSON.parse(run(...argv, '--json').stdout)
const file = (path: string, text: string) => {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeAll(() => {
  mkdirSync(join(root, '.git'), { recursive: true })
  file('.gitignore', 'secret.ts\n')
  file('secret.ts', 'export function hiddenThing() {}\n')
  file(
    'src/store.ts',
    'export function openStore(path: string) {\n  return path\n}\n\nexport class Store {\n  close() {}\n}\n',
  )
  file(
    'src/main.ts',
    "import { openStore } from './store.ts'\n\nexport function start() {\n  return openStore('x')\n}\n",
  )
  file('src/other.ts', 'export function openStore() {}\n')
  expect(ken('index-codebase')).toMatchObject({ root, added: 3 })
}, 60_000)
afterAll(() => rmSync(place, { recursive: true, force: true }))

test('code is found by its identifiers, with the lines of the definition', () => {
  const { results } = ken('search', 'open store', '--origin', 'code')
  expect(results[0]).toMatchObject({ origin: 'code', trust: 'compiled', collection: 'codebase', start_line: 1 })
  expect(ken('search', 'hiddenThing').results).toEqual([])
})

test('symbols returns the location of a definition', () => {
  expect(ken('symbols', 'openStore').definitions.map((one: { path: string }) => one.path)).toEqual([
    join(root, 'src/other.ts'),
    join(root, 'src/store.ts'),
  ])
  expect(ken('symbols', 'close').definitions).toMatchObject([{ kind: 'method', within: ['Store'], start_line: 6 }])
})

test('impact names importers and callers, and reports a name that is defined twice', () => {
  expect(ken('impact', 'src/store.ts')).toMatchObject({
    kind: 'file',
    importers: [{ path: join(root, 'src/main.ts'), line: 1 }],
    callers: [{ name: 'openStore', path: join(root, 'src/main.ts'), line: 4, inside: 'start' }],
    ambiguous: ['openStore'],
  })
  expect(ken('impact', 'start')).toMatchObject({ kind: 'symbol', defined_in: [join(root, 'src/main.ts')], callers: [] })
  expect(ken('impact', 'nothingLikeIt')).toMatchObject({ kind: 'unknown' })
})

test('an unknown name is reported on stderr, and by the exit code', () => {
  expect(run('impact', 'nothingLikeIt')).toMatchObject({
    status: 3,
    stdout: '',
    stderr: 'The indexed code knows no "nothingLikeIt". `ken index-codebase` adds a repository.\n',
  })
  expect(run('symbols', 'nothingLikeIt')).toMatchObject({ status: 3, stdout: '' })
  expect(run('symbols', 'Store')).toMatchObject({ status: 0, stderr: '' })
})

test('a later update reflects changes to the code', () => {
  file('src/other.ts', 'export function closeStore() {}\n')
  expect(ken('update')).toMatchObject({ changed: 1 })
  expect(ken('symbols', 'openStore').definitions).toHaveLength(1)
  expect(ken('impact', 'src/store.ts').ambiguous).toEqual([])
})
