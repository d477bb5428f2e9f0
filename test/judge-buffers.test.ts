import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BufferJudge, openBufferJudge } from '../src/record/judge-buffers.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles } from './sample-record.ts'

const IMPORT = "import { createClient } from 'redis'"
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-buffers-')))
const parser = openTreeSitterParser()
let judge: BufferJudge

beforeAll(async () => {
  write('a.ts', 'export const a = 1\nexport const b = 2\n')
  write('old.ts', `${IMPORT}\nexport const old = 1\n`)
  write('.gitignore', 'out/\n')
  git('init', '--quiet')
  git('add', '--all')
  git('-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '--quiet', '--message', 'start')
  const files = recordFiles([
    { num: 2, title: 'Cache in the process', rejected: [{ name: 'Redis', reason: 'A second service.' }] },
    { num: 3, title: 'Keep a simple', files_affected: ['a.ts'] },
  ])
  judge = openBufferJudge({
    repository: (await openRepository(folder))!,
    store: await openMemoryStore({
      project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
      clock: stepClock(),
      files,
    }),
    codeParser: async () => parser,
  })
  await judge.refresh()
})
afterAll(async () => {
  await parser.close()
  rmSync(folder, { recursive: true, force: true })
})

const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const returns = async (path: string, text: string) =>
  (await judge.judge(path, text)).filter(({ kind }) => kind === 'returns').map(({ line }) => line)

test('finds options that a buffer reintroduces, where they are now', async () => {
  expect(await returns('a.ts', `${IMPORT}\nexport const a = 1\nexport const b = 2\n`)).toEqual([1])
  expect(await returns('a.ts', `// moved\n\n${IMPORT}\r\nexport const a = 1\nexport const b = 2\n`)).toEqual([3])
  expect(await returns('a.ts', `/*\n${IMPORT}\n*/\nexport const a = 1\nexport const b = 2\n`)).toEqual([])
})

test('names the decisions of a file only once it differs from HEAD', async () => {
  expect(await judge.judge('a.ts', 'export const a = 1\nexport const b = 2\n')).toEqual([])
  const [governed] = await judge.judge('a.ts', 'export const a = 3\nexport const b = 2\n')
  expect(governed).toMatchObject({ kind: 'governed', decision: { label: 'D003' } })
})

test('ignores an import that another open file removes', async () => {
  expect(await returns('a.ts', `${IMPORT}\n`)).toEqual([1])
  await judge.judge('old.ts', 'export const old = 1\n')
  expect(await returns('a.ts', `${IMPORT}\n`)).toEqual([])
  judge.close('old.ts')
  expect(await returns('a.ts', `${IMPORT}\n`)).toEqual([1])
})

test('does not check ignored files, new files before they are saved, prose, or a megabyte', async () => {
  write('out/a.ts', '')
  write('README.md', '')
  await judge.refresh()
  for (const path of ['out/a.ts', 'unsaved.ts', 'README.md', 'missing/x.ts'])
    expect(await returns(path, `${IMPORT}\n`)).toEqual([])
  expect(await returns('a.ts', `${IMPORT}\n${'x'.repeat(1024 * 1024)}`)).toEqual([])
  write('new.ts', '')
  await judge.refresh()
  expect(await returns('new.ts', `${IMPORT}\n`)).toEqual([1])
})
