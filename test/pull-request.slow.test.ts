import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { call } from '../src/operations/call.ts'
import type { Context } from '../src/operations/context.ts'
import type { Operation } from '../src/operations/operation.ts'
import { pullRequest } from '../src/record/operations/pull-request.ts'
import { openRepositoryHistory } from '../src/record/repository/history.ts'
import { openRepository } from '../src/record/repository/index.ts'
import { openMemoryStore } from '../src/record/store/memory/index.ts'
import { openTreeSitterParser } from '../src/retrieval/parse/index.ts'
import { stepClock } from './contract/step-clock.ts'
import { recordFiles, type Given } from './sample-record.ts'

const BASE: Given[] = [
  { num: 1, title: 'Initial project setup' },
  {
    num: 2,
    title: 'Jobs run in a Postgres queue',
    rationale: 'We run Postgres already.',
    rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
  },
  { num: 3, title: 'Handlers return problem details', files_affected: ['src/api/', 'docs/errors.md'] },
]
const CONFIG = { mode: 'repo', id: '01JZ0000000000000000000000', name: 'shop', schema_version: 1 }
const PACKAGES = (...names: string[]) =>
  `${JSON.stringify({ dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }, null, 2)}\n`

const parser = openTreeSitterParser()
afterAll(() => parser.close())

let folder: string
let day: string
beforeEach(() => {
  day = '2026-04-01'
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ken-pull-request-')))
  git('init', '--quiet', '--initial-branch=main')
  write('.ken/config.json', JSON.stringify(CONFIG))
  writeRecord(BASE)
  write('.ken/record/journal/events.jsonl', '')
  write('package.json', PACKAGES('postgres'))
  write('src/api/users.ts', 'export const users = []\n')
  write('docs/errors.md', '# Errors\n')
  commit('start')
  git('switch', '--quiet', '--create', 'change')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: folder,
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: `${day}T12:00:00Z` },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })

function commit(message: string): void {
  git('add', '--all')
  git('commit', '--quiet', '--message', message)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function writeRecord(decisions: readonly Given[]): void {
  for (const [path, text] of Object.entries(recordFiles([...decisions]))) write(`.ken/record/${path}`, text)
}

async function review(input: Record<string, unknown> = {}) {
  const clock = stepClock()
  const ctx = {
    cwd: folder,
    clock,
    record: async () => {
      throw new Error('the record of the working tree must not be opened')
    },
    recordOf: (project, content) => openMemoryStore({ project, clock, ...content }),
    repository: () => openRepository(folder),
    repositoryHistory: () => openRepositoryHistory(folder),
    codeParser: async () => parser,
    progress() {},
  } as Partial<Context> as Context
  const operation = pullRequest as unknown as Operation
  const answer = await call(ctx, operation, { base: 'main', ...input })
  expect(operation.output.safeParse(answer.output).error).toBeUndefined()
  return {
    output: answer.output as any,
    text: operation.render(answer.output, answer.input),
    exit: operation.exit(answer.output),
  }
}

test('a change that touches no decision has an empty comment', async () => {
  write('src/colours.ts', 'export const accent = "#b4481d"\n')
  const { output, text } = await review()
  expect(output).toMatchObject({ files: 1, findings: [], recorded: [], comment: '', annotations: [] })
  expect(text).toBe('1 changed file since main: nothing to report.')
  expect((await review({ format: 'markdown' })).text).toBe('')
})

test('reports a rejected package once, with a command to supersede, and fails on it if asked', async () => {
  write('package.json', PACKAGES('ioredis', 'postgres'))
  commit('A cache')
  const { output, text, exit } = await review({ format: 'markdown', fail_on: 'returns' })
  expect(text).toContain('**Reintroduces rejected alternatives**\n\n- ⚠️ package.json:3: adds the package ioredis')
  expect(text).toContain('ken supersede 2 "Use Redis" --rationale "What changed since"')
  expect(output.drift.caused).toEqual([])
  expect(exit).toBe(1)
  expect((await review({ format: 'github' })).text).toMatch(/^::warning file=package\.json,line=3,title=D002 Jobs/)
  expect(JSON.parse((await review({ format: 'gitlab' })).text)).toEqual([
    {
      description: expect.stringContaining('adds the package ioredis'),
      check_name: 'ken/returns',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: 'major',
      location: { path: 'package.json', lines: { begin: 3 } },
    },
  ])
  const { runs } = JSON.parse((await review({ format: 'sarif' })).text)
  expect(runs[0].results).toHaveLength(1)
})

test('folds only decisions that the comment does not report above', async () => {
  rmSync(join(folder, 'docs/errors.md'))
  write('src/api/users.ts', 'export const users = [1]\n')
  commit('Fewer docs')
  const { output, text } = await review({ format: 'markdown' })
  expect(output.findings).toMatchObject([{ kind: 'governed', decision: { num: 3 } }])
  expect(text.match(/Handlers return problem details/g)).toHaveLength(1)
  expect(text).not.toContain('<details>')
})

test('an additional package of a thing that the base already uses is a note, and fails nothing', async () => {
  day = '2026-04-02'
  write('package.json', PACKAGES('ioredis', 'postgres'))
  commit('A cache')
  git('switch', '--quiet', '--create', 'later')
  write('package.json', PACKAGES('bullmq', 'ioredis', 'postgres'))
  commit('A queue')
  const { output, text, exit } = await review({ base: 'change', format: 'markdown', fail_on: 'returns' })
  expect(output.findings).toMatchObject([{ kind: 'touched', severity: 'note', decision: { num: 2 } }])
  expect(output.findings[0].reason).toContain('the base uses it already')
  expect(text).not.toContain('Reintroduces')
  expect(exit).toBe(0)
})

test('reports drift that the change causes or resolves', async () => {
  rmSync(join(folder, 'docs/errors.md'))
  commit('Fewer docs')
  const caused = await review({ format: 'markdown' })
  expect(caused.output.drift).toMatchObject({ caused: [{ decision: { num: 3 }, kind: 'files_gone' }], mended: [] })
  expect(caused.text).toContain('**No longer follows**\n\n- **D003** Handlers return problem details:')
  git('switch', '--quiet', '--create', 'back')
  write('docs/errors.md', '# Errors\n')
  commit('Docs again')
  const { output, text } = await review({ base: 'change', format: 'markdown' })
  expect(output.drift).toMatchObject({ caused: [], mended: [{ decision: { num: 3 } }] })
  expect(text).toContain('**Follows again**\n\n- **D003**')
})

describe('decisions of the change', () => {
  const REDIS: Given = { num: 4, title: 'Jobs run on Redis', supersedes: '2', rationale: 'The queue outgrew Postgres.' }
  const superseded: Given[] = [BASE[0]!, { ...BASE[1]!, status: 'superseded', superseded_by: '4' }, BASE[2]!, REDIS]

  test('are shown as a diff, and answer the findings that they supersede', async () => {
    write('package.json', PACKAGES('ioredis', 'postgres'))
    writeRecord(superseded)
    commit('Jobs on Redis')
    const { output, text, exit } = await review({ format: 'markdown', fail_on: 'any' })
    expect(output.recorded).toMatchObject([
      { label: 'D002', change: 'edited' },
      { label: 'D004', change: 'added', supersedes: ['D002'] },
    ])
    expect(text).toContain('superseded in this change by **D004**')
    expect(text).toContain('- **D004** Jobs run on Redis (new; supersedes D002)')
    expect(text).toMatch(/```diff\n--- \/dev\/null\n[\s\S]*\+The queue outgrew Postgres\./)
    expect(text).not.toContain('ken supersede')
    expect(exit).toBe(0)
  })

  test('an agent proposal is marked as pending review', async () => {
    writeRecord(superseded)
    const stem = Object.keys(recordFiles([REDIS])).find((path) => path.startsWith('decisions/004'))!
    write(
      '.ken/record/journal/events.jsonl',
      `${JSON.stringify({
        event_version: 1,
        id: 'e1',
        at: '2026-05-01T10:00:00.000Z',
        operation: 'propose_decision',
        origin: { surface: 'mcp-stdio' },
        facts: {},
        files: { [stem]: 'x' },
      })}\n`,
    )
    const { text } = await review({ format: 'markdown' })
    expect(text).toContain('(new; supersedes D002; proposed by an agent, pending review)')
  })
})

describe('a hostile change', () => {
  test('cannot choose its judge through configuration, record, ken.yaml or history', async () => {
    write('package.json', PACKAGES('ioredis', 'postgres'))
    const dropped = readFileSync(join(folder, '.ken/config.json'), 'utf8').replace('01JZ0', '01JZ1')
    write('.ken/config.json', dropped)
    rmSync(join(folder, '.ken/record'), { recursive: true })
    write('ken.yaml', 'name: shop\n')
    write('tests/cache.ts', "import Redis from 'ioredis'\nexport const cache = new Redis()\n")
    commit('Clean up')
    const { output, exit } = await review({ fail_on: 'returns' })
    expect(output.findings[0]).toMatchObject({ kind: 'returns', file: 'package.json', also: ['tests/cache.ts'] })
    expect(output.recorded).toMatchObject(BASE.map(() => ({ change: 'deleted' })))
    expect(exit).toBe(1)
  })

  test('is checked against decisions made after it branched off', async () => {
    git('switch', '--quiet', 'main')
    writeRecord([{ num: 4, title: 'Logs are JSON lines', rejected: [{ name: 'Winston', reason: 'Too large.' }] }])
    commit('Logs')
    git('switch', '--quiet', 'change')
    write('package.json', PACKAGES('postgres', 'winston'))
    commit('Logs')
    const { output } = await review()
    expect(output.findings).toMatchObject([{ kind: 'returns', decision: { label: 'D004' } }])
    expect(output.recorded).toEqual([])
  })

  test('cannot break out of the comment with file names or decision texts', async () => {
    const name = 'src/api/@octocat <!-- x --> [a](http:--e.org) `b` ::error::.ts'
    write(name, 'export const a = 1\n')
    writeRecord([
      {
        num: 4,
        title: 'See @octocat <img src=x> [here](https://e.org) | #1',
        rationale: '```\n</details>@octocat\n```',
      },
    ])
    commit('Text')
    const { text, output } = await review({ format: 'markdown' })
    const outside = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    expect(outside).not.toMatch(/@octocat|<!--|<img|\]\(|[^\\]`b|https:\/\//)
    expect(outside.match(/<\/?details>/g)).toEqual(['<details>', '</details>', '<details>', '</details>'])
    expect(text).toMatch(/^````diff$/m)
    expect(outside).toContain('@&#8203;octocat')
    expect(text).not.toContain('\\u{')
    expect(output.annotations.every((line: string) => /^::(?:notice|warning) file=/.test(line))).toBe(true)
  })

  test('that starts a record is not judged by it', async () => {
    git('switch', '--quiet', '--orphan', 'fresh')
    write('package.json', PACKAGES('ioredis'))
    commit('start')
    git('switch', '--quiet', '--create', 'record')
    write('.ken/config.json', JSON.stringify(CONFIG))
    writeRecord(BASE)
    commit('A record')
    const clock = stepClock()
    const mine = await openMemoryStore({ project: { ...CONFIG, mode: 'repo', location: 'x' }, clock })
    const ctx = {
      cwd: folder,
      clock,
      record: async () => mine,
      repository: () => openRepository(folder),
      repositoryHistory: () => openRepositoryHistory(folder),
    } as Partial<Context> as Context
    const answer = await call(ctx, pullRequest as unknown as Operation, { base: 'fresh' })
    expect(answer.output).toMatchObject({ findings: [], notes: ['The base has no record, so nothing was checked.'] })
    expect(answer.output['recorded']).toHaveLength(BASE.length)
  })
})

test('a rewritten file is suggested for review, and not reported as resolved later', async () => {
  const lines = (word: string) => Array.from({ length: 20 }, (_, i) => `export const ${word}${i} = ${i}\n`).join('')
  day = '2026-05-01'
  write('src/users.ts', lines('user'))
  writeRecord([{ num: 4, title: 'Users are constants', date: day, files_affected: ['src/users.ts'] }])
  commit('Users')
  day = '2026-06-01'
  git('switch', '--quiet', '--create', 'rewrite')
  write('src/users.ts', lines('user').slice(0, 90) + lines('member'))
  commit('Members')
  const { text } = await review({ base: 'change', format: 'markdown' })
  expect(text).toContain('worth reading again**\n\n- **D004**')
  expect(text).not.toContain('ken supersede')
  git('switch', '--quiet', '--create', 'more')
  write('src/users.ts', lines('person'))
  commit('Persons')
  expect((await review({ base: 'rewrite' })).output.drift).toEqual({ caused: [], mended: [] })
})
