import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import { guard } from '../src/record/operations/guard.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles, type Given } from './sample-record.ts'

const DECISIONS: Given[] = [
  { num: 1, title: 'Initial project setup' },
  { num: 2, title: 'Store events in MongoDB', status: 'superseded', superseded_by: '4' },
  {
    num: 3,
    title: 'Jobs run in a Postgres queue',
    rationale: 'We run Postgres already; running Redis as well would cost a night a month.',
    rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
  },
  { num: 4, title: 'Store events in Postgres', supersedes: '2', rejected: [{ name: 'Files', reason: 'No queries.' }] },
  {
    num: 5,
    title: 'Handlers return problem details',
    rationale: 'Clients can then show one error page.',
    files_affected: ['src/api/'],
  },
  { num: 6, title: 'Money is kept in integer minor units', rationale: 'Floats drift as soon as amounts are summed.' },
]

const parser = openTreeSitterParser()
afterAll(() => parser.close())

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-guard-')))
  git('init', '--quiet', '--initial-branch=main')
  for (const [key, value] of [
    ['user.name', 'Test'],
    ['user.email', 'test@example.org'],
    ['commit.gpgsign', 'false'],
  ])
    git('config', key!, value!)
  write('package.json', '{\n  "dependencies": {\n    "postgres": "^3.4.0"\n  }\n}\n')
  write('src/api/users.ts', 'export const users = []\n')
  git('add', '--all')
  git('commit', '--quiet', '-m', 'start')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

async function run(
  input: Record<string, unknown> = {},
  at = folder,
): Promise<{ output: any; text: string; exit: number }> {
  const store = await openMemoryStore({
    project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
    clock: stepClock(),
    files: recordFiles(DECISIONS),
  })
  const ctx = {
    cwd: at,
    record: async () => store,
    repository: () => openRepository(at),
    codeParser: async () => parser,
    progress() {},
  } as Partial<Context> as Context
  const operation = guard as unknown as Operation
  const answer = await call(ctx, operation, input)
  expect(operation.output.safeParse(answer.output).error).toBeUndefined()
  return {
    output: answer.output,
    text: operation.render(answer.output, answer.input),
    exit: operation.exit(answer.output),
  }
}

const briefly = (output: any): string[] =>
  output.findings.map((f: any) => `${f.severity} ${f.kind} ${f.file}:${f.line} ${f.decision.label}`)

test('a clean working tree has no findings', async () => {
  const { output, text, exit } = await run()
  expect(output).toMatchObject({ base: 'HEAD', files: 0, findings: [], failed: false })
  expect([text, exit]).toEqual(['No changes against HEAD.', 0])
})

test('a change that no decision covers is reported as such', async () => {
  write('src/colours.ts', 'export const accent = "#b4481d"\n')
  expect((await run()).text).toBe('1 changed file against HEAD: no decision mentions it.')
})

test('reports rejected and superseded packages, governed files and touched decisions', async () => {
  write(
    'package.json',
    '{\n  "dependencies": {\n    "mongodb": "^6.0.0",\n    "postgres": "^3.4.0",\n    "redis": "^4.6.0"\n  }\n}\n',
  )
  write('src/api/users.ts', 'export const users = [1]\n')
  write('src/billing/price.ts', '// Keeps money in minor units.\nexport const price = 100\n')
  const { output, text } = await run()
  expect(briefly(output)).toEqual([
    'warning returns package.json:3 D002',
    'warning returns package.json:5 D003',
    'note governed src/api/users.ts:null D005',
    'note touched src/billing/price.ts:1 D006',
  ])
  expect(text).toBe(`3 changed files against HEAD: 4 findings, 2 warnings.
warning  package.json:3
         adds the package mongodb: D002 "Store events in MongoDB" was replaced by D004 "Store events in Postgres"
warning  package.json:5
         adds the package redis: D003 "Jobs run in a Postgres queue" rejected Redis (One more service to run)
note     src/api/users.ts
         D005 "Handlers return problem details" names src/api/
note     src/billing/price.ts:1
         says "Keeps money in minor units."; D006 "Money is kept in integer minor units" is about money, minor, units`)
})

test('test cases of a context project are skipped, and test cases of the code are not', async () => {
  const said = '// Keeps money in minor units.\nimport redis from "redis"\n'
  write('data/ken.yaml', 'name: data\n')
  write('data/tests/money.ts', said)
  write('data/tests/cases.yaml', `- prompt: ${said}`)
  write('.ken/tests/money.ts', said)
  expect((await run()).text).toBe('1 changed file against HEAD: no decision mentions it.')
  write('tests/money.ts', said)
  expect(briefly((await run()).output)).toContain('warning returns tests/money.ts:2 D003')
})

test('the exit code is 0 unless there is a finding of the named kind', async () => {
  write('src/api/users.ts', 'export const users = [1]\n')
  const exits = async () =>
    Promise.all(['none', 'returns', 'governed', 'any'].map(async (fail_on) => (await run({ fail_on })).exit))
  expect(await exits()).toEqual([0, 0, 1, 1])
  write('src/jobs.ts', "import { createClient } from 'redis'\n")
  expect(await exits()).toEqual([0, 1, 1, 1])
})

test('a base covers the whole branch, committed or not; an unknown base is not found', async () => {
  git('checkout', '--quiet', '-b', 'work')
  write('src/jobs.ts', "import { createClient } from 'redis'\n")
  git('add', '--all')
  git('commit', '--quiet', '-m', 'jobs')
  expect((await run()).output.findings).toEqual([])
  expect(briefly((await run({ base: 'main' })).output)).toEqual(['warning returns src/jobs.ts:1 D003'])
  await expect(run({ base: 'nowhere' })).rejects.toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('git fetch'),
  })
})

test('paths limit to files, folders and globs', async () => {
  write('src/api/users.ts', 'export const users = [1]\n')
  write('src/jobs.ts', "import { createClient } from 'redis'\n")
  expect(briefly((await run({ paths: ['src/api'] })).output)).toEqual(['note governed src/api/users.ts:null D005'])
  expect(briefly((await run({ paths: ['**/jobs.ts'] })).output)).toEqual(['warning returns src/jobs.ts:1 D003'])
})

test('checks the whole repository from a folder below the root', async () => {
  write('src/jobs.ts', "import { createClient } from 'redis'\n")
  expect(briefly((await run({}, join(folder, 'src/api'))).output)).toEqual(['warning returns src/jobs.ts:1 D003'])
})

test('explains where to run it if it is run outside a repository', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'ken-no-git-'))
  await expect(run({}, outside)).rejects.toMatchObject({
    code: 'not_found',
    hint: expect.stringContaining('working tree'),
  })
  rmSync(outside, { recursive: true })
})

test('a file too large to read in full is named', async () => {
  write('src/table.ts', `${'x\n'.repeat(6_000)}import { createClient } from 'redis'\n`)
  const { output, text } = await run()
  expect(output.cut).toEqual(['src/table.ts'])
  expect(text).toContain('Too large to read in full: src/table.ts')
})

describe('formats', () => {
  beforeEach(() => write('src/jobs.ts', "import { createClient } from 'redis'\n"))

  test('JSON is the answer itself', async () => {
    const { output, text } = await run({ format: 'json' })
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(output)))
  })

  test('SARIF points at the line', async () => {
    const log = JSON.parse((await run({ format: 'sarif' })).text)
    expect(log.runs[0].results[0]).toMatchObject({
      ruleId: 'ken/returns',
      level: 'warning',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'src/jobs.ts' }, region: { startLine: 1 } } }],
    })
  })

  test('GitHub gets one command for each finding', async () => {
    expect((await run({ format: 'github' })).text).toMatch(
      /^::warning file=src\/jobs\.ts,line=1,title=D003 Jobs run in a Postgres queue::imports redis: .+$/,
    )
  })
})

describe('against a record of seventy-five decisions', () => {
  const corpus = (
    JSON.parse(readFileSync(new URL('fixtures/golden/bm25-corpus.json', import.meta.url), 'utf8')) as {
      cases: { input: { filename: string; text: string } }[]
    }
  ).cases
  const files = Object.fromEntries(corpus.map(({ input }) => [`decisions/${input.filename}`, input.text]))

  async function judge(path: string, text: string): Promise<any[]> {
    write(path, text)
    const store = await openMemoryStore({
      project: { id: 'P', name: 'shop', mode: 'local', location: 'memory' },
      clock: stepClock(),
      files,
    })
    const ctx = {
      record: async () => store,
      repository: () => openRepository(folder),
      codeParser: async () => parser,
      progress() {},
    } as Partial<Context> as Context
    return (await call(ctx, guard as unknown as Operation, {})).output['findings'] as any[]
  }

  test('rejected packages are found under their published names', async () => {
    const packages = [
      'mongodb',
      '@aws-sdk/client-dynamodb',
      'memcached',
      'graphql',
      'bcrypt',
      'svelte',
      'next',
      'kafkajs',
      '@elastic/elasticsearch',
      '@adyen/api-library',
      '@grpc/grpc-js',
      '@pulumi/pulumi',
      'node-statsd',
    ]
    const findings = await judge('tools/package.json', packages.map((name) => `    "${name}": "^1.0.0",`).join('\n'))
    const found = new Set(findings.filter((f) => f.kind === 'returns').map((f) => packages[f.line - 1]))
    expect(packages.filter((name) => !found.has(name))).toEqual([])
  })

  test('packages without a decision are not reported', async () => {
    const packages = [
      'zod',
      'hono',
      'commander',
      'chalk',
      'vitest',
      'lodash',
      'date-fns',
      'eslint',
      'prettier',
      'execa',
      'semver',
      'ws',
      'undici',
      'nanoid',
      'p-queue',
      'dotenv',
      'rimraf',
      'glob',
      'yargs',
      'async',
    ]
    expect(await judge('tools/package.json', packages.map((name) => `    "${name}": "^1.0.0",`).join('\n'))).toEqual([])
  })

  test('ordinary code raises no warning', async () => {
    const source = readFileSync(new URL('../src/retrieval/domain/ranking/bm25.ts', import.meta.url), 'utf8')
    expect((await judge('lib/ranking.ts', source)).filter((f) => f.severity === 'warning')).toEqual([])
  })
})
