import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import { drift } from '../src/record/operations/drift.ts'
import { openRepositoryHistory } from '../src/record/repository/history.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { type Given, recordFiles } from './sample-record.ts'

const parser = openTreeSitterParser()
afterAll(() => parser.close())

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-drift-')))
  git('init', '--quiet', '--initial-branch=main')
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.org'],
    ['commit.gpgsign', 'false'],
  ])
    git('config', key!, value!)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function write(path: string, text: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function commit(day: string): void {
  git('add', '--all')
  const at = `${day}T12:00:00Z`
  execFileSync('git', ['commit', '--quiet', '--allow-empty', '-m', day], {
    cwd: folder,
    env: { ...process.env, GIT_AUTHOR_DATE: at, GIT_COMMITTER_DATE: at },
  })
}

const manifest = (...names: string[]): string =>
  `${JSON.stringify({ name: 'shop', dependencies: Object.fromEntries(names.map((name) => [name, '^1.0.0'])) }, null, 2)}\n`
const lines = (word: string, count: number): string =>
  Array.from({ length: count }, (_, i) => `export const ${word}${i} = compute('${word}', ${i})\n`).join('')

const openStore = (decisions: readonly Given[]) =>
  openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(decisions),
  })

async function run(decisions: readonly Given[], input: Record<string, unknown> = {}, at = folder) {
  const store = await openStore(decisions)
  const ctx = {
    cwd: at,
    record: async () => store,
    repositoryHistory: () => openRepositoryHistory(at),
    codeParser: async () => parser,
    progress() {},
  } as Partial<Context> as Context
  const operation = drift as unknown as Operation
  const answer = await call(ctx, operation, input)
  const output = answer.output as any
  const kinds = output.findings.map((each: any) => `${each.decision.label} ${each.kind}`)
  return { output, kinds, text: operation.render(answer.output, answer.input), exit: operation.exit(answer.output) }
}

const NO_REDIS: Given = {
  num: 2,
  title: 'Jobs run in a Postgres queue',
  date: '2026-01-10',
  rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
}

test('a rejected package added since is reported with its line, its commit and the next step', async () => {
  write('package.json', manifest('postgres'))
  commit('2026-01-05')
  write('package.json', manifest('postgres', 'ioredis'))
  commit('2026-03-01')
  const { output, text, exit } = await run([NO_REDIS])
  expect(output.findings).toMatchObject([
    {
      level: 'contradicts',
      kind: 'rejected_back',
      path: 'package.json',
      line: 5,
      about: 'ioredis',
      commit: { id: git('rev-parse', 'HEAD').trim() },
      next: expect.stringContaining('supersede'),
    },
  ])
  expect(text).toContain('1 of 1 active decision has drifted.')
  expect(text).toMatch(
    /D002 Jobs run in a Postgres queue\n +now +ioredis: asks for ioredis · package\.json:5 · by [0-9a-f]{7} of 2026-03-01/,
  )
  expect(exit).toBe(0)
})

test('a case of `ken test` that proposes a rejected option is not a use, and is not reported', async () => {
  write('data/ken.yaml', 'name: shop\n')
  commit('2026-01-05')
  const cases = '- kind: decision\n  name: a second store\n  proposal: Use Redis\n  image: redis:7\n  verdict: strong\n'
  for (const path of ['data/tests/cases.yaml', 'data/tests/deep/docker-compose.yml', '.ken/tests/cases.yaml'])
    write(path, `services:\n  cache:\n    image: redis:7\n${cases}`)
  write('data/tests/package.json', manifest('ioredis'))
  expect((await run([NO_REDIS])).kinds).toEqual([])
  commit('2026-03-01')
  expect((await run([NO_REDIS])).kinds).toEqual([])
  write('deploy/docker-compose.yml', 'services:\n  cache:\n    image: redis:7\n')
  expect((await run([NO_REDIS])).output.findings).toMatchObject([{ path: 'deploy/docker-compose.yml', also: [] }])
})

test('does not suggest fetching the full history before the first commit', async () => {
  write('package.json', manifest('postgres'))
  const { text } = await run([NO_REDIS])
  expect(text).toContain('nothing is committed yet')
  expect(text).not.toContain('unshallow')
})

test('a use that predates a decision and was never removed is not drift; one that was removed and reintroduced is', async () => {
  write('package.json', manifest('redis'))
  commit('2026-01-05')
  commit('2026-02-01')
  expect((await run([NO_REDIS])).kinds).toEqual([])
  write('package.json', manifest())
  commit('2026-02-02')
  write('package.json', manifest('redis'))
  commit('2026-02-03')
  expect((await run([NO_REDIS])).kinds).toEqual(['D002 rejected_back'])
})

test('an uncommitted change counts', async () => {
  write('package.json', manifest('zod'))
  write('src/old.ts', lines('old', 9))
  commit('2026-01-05')
  commit('2026-02-01')
  write('package.json', manifest('redis'))
  rmSync(join(folder, 'src/old.ts'))
  const zod: Given = { num: 3, title: 'Use zod for schemas', date: '2026-01-10', files_affected: ['src/old.ts'] }
  expect((await run([NO_REDIS, zod])).kinds).toEqual(['D002 rejected_back', 'D003 chosen_gone', 'D003 files_gone'])
})

test('accepts a rejected option if another active decision chose it later', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  write('package.json', manifest('redis'))
  commit('2026-03-01')
  const chosen: Given = { num: 3, title: 'Redis keeps sessions', date: '2026-02-20' }
  expect((await run([NO_REDIS, chosen])).kinds).toEqual([])
})

test('a choice that never appeared is not reported as missing', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  commit('2026-03-01')
  expect((await run([{ num: 2, title: 'Use Fastify', date: '2026-01-10' }])).kinds).toEqual([])
})

test('a choice that appeared after its decision, and disappeared again, is reported as missing', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  write('package.json', manifest('fastify'))
  commit('2026-01-20')
  write('package.json', manifest('koa'))
  commit('2026-03-01')
  const { output } = await run([{ num: 2, title: 'Use Fastify', date: '2026-01-10' }])
  expect(output.findings).toMatchObject([
    { kind: 'chosen_gone', path: 'package.json', commit: { at: '2026-03-01T12:00:00.000Z' } },
  ])
})

test('a file is followed through several renames, and a moved folder is not missing', async () => {
  write('src/a.ts', lines('a', 20))
  write('lib/one/b.ts', lines('b', 20))
  commit('2026-01-05')
  git('mv', 'src/a.ts', 'src/b.ts')
  commit('2026-02-01')
  mkdirSync(join(folder, 'core'))
  git('mv', 'src/b.ts', 'core/c.ts')
  git('mv', 'lib/one', 'core/one')
  write('core/c.ts', `${lines('a', 20)}${lines('more', 12)}`)
  commit('2026-03-01')
  expect(
    (await run([{ num: 2, title: 'A', date: '2026-01-10', files_affected: ['src/a.ts', 'lib/', 'lib/**/*.ts'] }]))
      .kinds,
  ).toEqual([])
})

test('a file moved and reformatted in one commit is found; one without its code is missing, even if replaced', async () => {
  const code = (open: string): string =>
    Array.from(
      { length: 20 },
      (_, i) => `function leg${i}(a, b)${open}{${open}return a.x * ${i} + b.y;${open}}\n`,
    ).join('')
  for (const name of ['camera', 'route', 'plan']) write(`src/${name}.js`, code(' ').replaceAll('leg', name))
  commit('2026-01-05')
  for (const name of ['camera', 'route', 'plan']) rmSync(join(folder, `src/${name}.js`))
  write('src/view/Camera.ts', `// Set anew.\n${code('\n  ').replaceAll('leg', 'camera')}`)
  write('src/view/way.js', code('\n').replaceAll('leg', 'route'))
  write('src/other/plan.js', lines('another', 20))
  commit('2026-03-01')
  const governs = (num: number, path: string): Given => ({
    num,
    title: 'Kept by hand',
    date: '2026-01-10',
    files_affected: [path],
  })
  const named: Given = { num: 5, title: 'The camera', date: '2026-01-10', rationale: 'It is in `src/camera.js`.' }
  expect(
    (await run([governs(2, 'src/camera.js'), governs(3, 'src/route.js'), governs(4, 'src/plan.js'), named])).kinds,
  ).toEqual(['D004 files_gone'])
})

test('--since reports only later drift, --only only some decisions', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  write('package.json', manifest('redis'))
  commit('2026-02-01')
  write('src/x.ts', lines('x', 10))
  commit('2026-03-01')
  const other: Given = { num: 3, title: 'Other', date: '2026-01-10', rejected: [{ name: 'Redis', reason: 'No.' }] }
  expect((await run([NO_REDIS, other])).kinds).toEqual(['D002 rejected_back', 'D003 rejected_back'])
  expect((await run([NO_REDIS, other], { only: ['D3'] })).kinds).toEqual(['D003 rejected_back'])
  expect((await run([NO_REDIS], { since: '2026-02-10' })).kinds).toEqual([])
  expect((await run([NO_REDIS], { since: '2026-01-20' })).kinds).toEqual(['D002 rejected_back'])
  expect((await run([NO_REDIS], { since: 'HEAD~2' })).kinds).toEqual(['D002 rejected_back'])
  expect((await run([NO_REDIS], { since: 'HEAD~1' })).kinds).toEqual([])
  for (const since of ['nowhere', '--output=/tmp/x', '2026-99-99x', 'HEAD\0'])
    await expect(run([NO_REDIS], { since })).rejects.toMatchObject({ code: 'not_found' })
  await expect(run([NO_REDIS], { only: ['D9'] })).rejects.toMatchObject({ code: 'not_found' })
  await expect(run([NO_REDIS], { only: ['nine'] })).rejects.toMatchObject({ code: 'invalid_input' })
})

test('--fail-on fails on the given level and on anything worse', async () => {
  write('package.json', manifest())
  write('src/x.ts', lines('x', 10))
  commit('2026-01-05')
  rmSync(join(folder, 'src/x.ts'))
  commit('2026-03-01')
  const gone: Given = { num: 2, title: 'X', date: '2026-01-10', files_affected: ['src/x.ts'] }
  expect((await run([gone])).exit).toBe(0)
  expect((await run([gone], { fail_on: 'contradicts' })).exit).toBe(0)
  expect((await run([gone], { fail_on: 'gone' })).exit).toBe(1)
  expect((await run([gone], { fail_on: 'changed' })).exit).toBe(1)
})

test('reports for other programs point at the file and the decision', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  write('package.json', manifest('redis'))
  commit('2026-03-01')
  expect((await run([NO_REDIS], { format: 'github' })).text).toMatch(/^::warning file=package\.json,line=4,title=D002 /)
  const sarif = JSON.parse((await run([NO_REDIS], { format: 'sarif' })).text)
  expect(sarif.runs[0].results[0]).toMatchObject({ ruleId: 'ken/contradicts', ruleIndex: 0, level: 'warning' })
  expect(JSON.parse((await run([NO_REDIS], { format: 'json' })).text).findings).toHaveLength(1)
})

test('a shallow clone reports its limits, and still names rejected options that are present', async () => {
  write('package.json', manifest())
  write('src/x.ts', lines('x', 10))
  commit('2026-01-05')
  write('package.json', manifest('redis'))
  rmSync(join(folder, 'src/x.ts'))
  commit('2026-03-01')
  const clone = realpathSync(mkdtempSync(join(tmpdir(), 'ken-shallow-')))
  try {
    execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${folder}`, clone], { stdio: 'ignore' })
    const { output, kinds, text } = await run([{ ...NO_REDIS, files_affected: ['src/x.ts'] }], {}, clone)
    expect(kinds).toEqual(['D002 rejected_back'])
    expect(output.untold).toEqual([{ decision: 'D002', why: 'the history here begins later' }])
    expect(text).toContain('git fetch --unshallow')
  } finally {
    rmSync(clone, { recursive: true, force: true })
  }
})

test('fails without a repository; before the first commit it checks the working tree', async () => {
  const plain = realpathSync(mkdtempSync(join(tmpdir(), 'ken-plain-')))
  try {
    await expect(run([NO_REDIS], {}, plain)).rejects.toMatchObject({ code: 'not_found' })
  } finally {
    rmSync(plain, { recursive: true, force: true })
  }
  write('package.json', manifest('redis'))
  const { kinds, output } = await run([NO_REDIS])
  expect(kinds).toEqual(['D002 rejected_back'])
  expect(output.untold).toEqual([{ decision: 'D002', why: 'nothing is committed yet' }])
})

test('hostile names, sizes and links have no effect', async () => {
  const hostile = ['--help', ':(top)*', '-z\n*', "a'b;c", 'src/\u0001x.ts', 'R100', ':100644 x.ts', 'süß/ü.ts']
  for (const [i, name] of hostile.entries()) write(name, lines(`n${i}x`, 12))
  write('big.ts', Buffer.alloc(6_000_000, 'const a = 1\n'))
  write('binary.ts', Buffer.from([0, 1, 2, 255]))
  symlinkSync('/etc/hostname', join(folder, 'link.ts'))
  write('package.json', manifest())
  commit('2026-01-05')
  for (const name of hostile) rmSync(join(folder, name))
  write('big.ts', Buffer.alloc(6_000_000, 'const b = 2\n'))
  write('binary.ts', Buffer.from([0, 9, 9]))
  rmSync(join(folder, 'link.ts'))
  symlinkSync('/etc/passwd', join(folder, 'link.ts'))
  commit('2026-03-01')
  const globs = Array.from({ length: 1000 }, (_, i) => `**/{a,b,c}*${i}/**/[a-z]*?${'*'.repeat(i % 7)}.ts`)
  const decisions: Given[] = [
    { num: 2, title: 'Names', date: '2026-01-10', files_affected: hostile },
    { num: 3, title: 'Globs', date: '2026-01-10', files_affected: globs },
    {
      num: 4,
      title: 'Sizes',
      date: '2026-01-10',
      files_affected: ['big.ts', 'binary.ts', 'link.ts', '../../etc', '/etc/passwd', ''],
    },
  ]
  const { output, kinds } = await run(decisions)
  expect(kinds).toEqual(hostile.map(() => 'D002 files_gone'))
  expect(output.findings.map((each: any) => each.about)).toContain('--help')
})

test('the configuration of a clone starts no program', async () => {
  write('package.json', manifest('zod'))
  write('.gitattributes', '*.json diff=evil filter=evil\n')
  commit('2026-01-05')
  write('package.json', manifest('redis'))
  commit('2026-03-01')
  const marker = join(folder, '.git', 'ran')
  const program = `sh -c 'touch ${marker}'`
  for (const key of [
    'diff.external',
    'diff.evil.textconv',
    'diff.evil.command',
    'filter.evil.clean',
    'filter.evil.process',
    'core.fsmonitor',
    'core.pager',
    'core.sshCommand',
    'log.showSignature',
    'gpg.program',
  ])
    git('config', key, key === 'log.showSignature' ? 'true' : program)
  // For files whose modification time has changed, git reads the bytes through a filter.
  write('package.json', manifest('redis'))
  const { kinds } = await run([NO_REDIS])
  expect(kinds).toEqual(['D002 rejected_back'])
  expect(existsSync(marker)).toBe(false)
})

test('objects missing from a partial clone are not fetched', async () => {
  write('a.ts', `${Array.from({ length: 40 }, (_, at) => `const a${at} = ${at}`).join('\n')}\n`)
  commit('2026-01-05')
  const blob = git('rev-parse', 'HEAD:a.ts').trim()
  execFileSync('git', ['mv', 'a.ts', 'b.ts'], { cwd: folder })
  write('b.ts', `${Array.from({ length: 40 }, (_, at) => `const b${at} = ${at}`).join('\n')}\n`)
  commit('2026-03-01')
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)))
  const marker = join(folder, '.git', 'ran')
  for (const [key, value] of Object.entries({
    'core.repositoryFormatVersion': '1',
    'extensions.partialClone': 'origin',
    'remote.origin.promisor': 'true',
    'remote.origin.partialclonefilter': 'blob:none',
    'remote.origin.url': 'ssh://example.invalid/x',
    'protocol.allow': 'always',
    'protocol.ssh.allow': 'always',
    'core.sshCommand': `sh -c 'touch ${marker}'`,
  }))
    git('config', key, value)
  await run([{ num: 2, title: 'A', date: '2026-01-10', files_affected: ['a.ts'] }])
  expect(existsSync(marker)).toBe(false)
})

test('a decision starts at the commit that the journal names', async () => {
  write('package.json', manifest())
  commit('2026-01-05')
  const base = git('rev-parse', 'HEAD').trim()
  write('package.json', manifest('redis'))
  commit('2026-01-06')
  const store = await openStore([])
  await store.commit({ surface: 'cli' }, async (draft) => {
    const [path, text] = Object.entries(recordFiles([{ ...NO_REDIS, date: '2026-05-01' }])).find(([name]) =>
      name.startsWith('decisions/'),
    )!
    draft.write(path, text)
    draft.note('propose_decision', { decision: path.slice('decisions/'.length, -3), base_commit: base })
  })
  const ctx = {
    cwd: folder,
    record: async () => store,
    repositoryHistory: () => openRepositoryHistory(folder),
    codeParser: async () => parser,
    progress() {},
  } as Partial<Context> as Context
  const { output } = await call(ctx, drift as unknown as Operation, {})
  expect((output as any).findings).toMatchObject([
    { kind: 'rejected_back', commit: { at: '2026-01-06T12:00:00.000Z' } },
  ])
})
