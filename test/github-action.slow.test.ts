import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { runAction, type ActionRun } from './github/action-steps.ts'
import { openCommentsServer, type CommentsServer } from './github/comments-server.ts'
import { KEN } from './ken-program.ts'
import { openScriptedModel, type ScriptedModel } from './scripted-model.ts'

// The steps of action.yml in bash, on a real repository with a base and a change, with the Ken of this checkout, a
// scripted model and a pull request's comments as GitHub's API stores them.

const place = realpathSync(mkdtempSync(join(tmpdir(), 'ken-action-')))
const workspace = join(place, 'checkout')
const env: Record<string, string> = {
  HOME: place,
  PATH: process.env['PATH']!,
  KEN_HOME: join(place, 'home'),
  KEN_TELEMETRY: '0',
  KEN_UPKEEP: '0',
  KEN_MODEL: 'compatible:scripted',
  GIT_CONFIG_GLOBAL: '/dev/null',
}
let server: CommentsServer
let model: ScriptedModel
let people = 47
const ken = (...words: string[]) =>
  execFileSync(process.execPath, [KEN, ...words], {
    cwd: workspace,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
const git = (...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], {
    cwd: workspace,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim()

function write(path: string, text: string): void {
  mkdirSync(dirname(join(workspace, path)), { recursive: true })
  writeFileSync(join(workspace, path), text)
}

const CASES = `- name: Orders
  kind: sql
  prompt: How many orders are there?
  sql: SELECT count(*) FROM orders
- name: People
  kind: answer
  prompt: How many people work here?
  assert: [{ number: 47 }]
`
const HOSTILE = `- name: "::error::@octocat | <script> \${{ secrets.X }}"
  kind: answer
  prompt: What is wrong?
  assert: [{ contains: nothing }]
`

beforeAll(async () => {
  server = await openCommentsServer()
  model = await openScriptedModel(({ user, messages }) => {
    if (user.includes('orders') && !JSON.stringify(messages).includes('q_'))
      return { call: { tool: 'execute_sql', input: { sql: 'SELECT count(*) AS n FROM orders' } } }
    return user.includes('people') ? `There are ${people} of us.` : '::error::It is as it is.'
  })
  env['KEN_MODEL_URL'] = `${model.url}/v1`
  mkdirSync(workspace)
  git('init', '-q', '-b', 'main')
  const database = new DatabaseSync(join(workspace, 'shop.db'))
  database.exec('CREATE TABLE orders (id INTEGER); INSERT INTO orders VALUES (1), (2), (3)')
  database.close()
  write('package.json', '{\n  "dependencies": {\n    "postgres": "^3.4.0"\n  }\n}\n')
  ken('init', 'shop', '--in-repo')
  ken(
    'add',
    'Jobs run in a Postgres queue',
    '--rationale',
    'We run Postgres already.',
    '--rejected',
    'Redis: One more service to run.',
  )
  write('ken.yaml', 'name: shop\ndatabases:\n  - { name: shop, type: sqlite, path: shop.db }\n')
  write('tests/shop.yaml', CASES)
  ken('sync')
  git('add', '-A')
  git('commit', '-q', '-m', 'A shop')
  // The state left by actions/checkout: the base is a branch of the origin.
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('switch', '-q', '-c', 'change')
}, 120_000)
afterAll(async () => {
  await server.close()
  await model.close()
  rmSync(place, { recursive: true, force: true })
})
beforeEach(() => {
  server.comments.length = 0
  server.asked.length = 0
  server.isFork = false
  people = 47
})

const act = (inputs: Record<string, string> = {}, head = 'acme/shop'): Promise<ActionRun> =>
  runAction({
    workspace,
    inputs: { version: 'local', ...inputs },
    event: {
      pull_request: {
        number: 7,
        title: '`touch /tmp/owned` ${{ github.token }}',
        head: { ref: '$(touch owned)', repo: { full_name: head } },
        base: { ref: 'main', sha: git('rev-parse', 'main'), repo: { full_name: 'acme/shop' } },
      },
    },
    api: server.url,
    // The home of a runner, without the project.
    env: { ...env, KEN_HOME: join(place, 'runner') },
  })

test('a change without findings passes, without a comment', async () => {
  write('README.md', '# Shop\n')
  const { succeeded, outputs, summary, log } = await act()
  expect([succeeded, log]).toEqual([true, expect.not.stringContaining('::error')])
  expect(outputs).toMatchObject({ result: 'passed', passed: '2', failed: '0', regressions: '0', comment: 'none' })
  expect(summary).toContain('2 of 2 passed')
  expect(server.comments).toEqual([])
}, 120_000)

test('posts one comment about a rejected alternative and a regression, then edits it, then leaves it unchanged', async () => {
  // Asynchronous, because the model answers from this process.
  const { stdout } = await promisify(execFile)(process.execPath, [KEN, 'test', '--json'], { cwd: workspace, env })
  const { outputs } = JSON.parse(stdout) as { outputs: string[] }
  const file = outputs.find((name) => name.endsWith('.json'))!
  git('switch', '-q', 'main')
  write('tests/baseline.json', readFileSync(join(workspace, file), 'utf8'))
  git('add', 'tests/baseline.json')
  git('commit', '-q', '-m', 'What passes')
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  git('switch', '-q', 'change')
  git('merge', '-q', 'main')
  write('package.json', '{\n  "dependencies": {\n    "ioredis": "^5.0.0",\n    "postgres": "^3.4.0"\n  }\n}\n')
  // The change cannot lower its own baseline.
  write('tests/baseline.json', '{}')
  write('tests/hostile.yaml', HOSTILE)
  git('add', 'package.json', 'tests/baseline.json', 'tests/hostile.yaml')
  git('commit', '-q', '-m', 'A cache')
  people = 12

  const first = await act()
  expect(first.succeeded).toBe(false)
  expect(first.outputs).toMatchObject({
    result: 'failed',
    warnings: '1',
    regressions: '1',
    failed: '2',
    comment: 'created',
  })
  expect(first.log).toMatch(/^::warning file=package\.json,line=\d+,title=D\d+ Jobs run in a Postgres queue::.*Redis/m)
  expect(first.log).toMatch(/^::error file=tests\/shop\.yaml,line=5,title=People::/m)
  const { body } = server.comments[0]!
  expect(body).toMatch(/^<!-- ken:\. -->\n### Ken: this needs a look/)
  expect(body).toContain('Regressions (1)')
  expect(body).toContain('passed → failed')
  expect(body).not.toMatch(/<script|@octocat|\$\{\{/)
  expect(existsSync(join(workspace, 'owned'))).toBe(false)
  expect(first.log).not.toContain('job-token')
  // Text from the model or a case is not interpreted as a runner command.
  const commands = first.log.split('\n').filter((line) => line.startsWith('::error'))
  expect(commands.every((line) => line.startsWith('::error file='))).toBe(true)

  const again = await act()
  expect(again.outputs['comment']).toBe('unchanged')
  people = 47
  const mended = await act({ 'fail-on': 'regression' })
  expect([mended.succeeded, mended.outputs['comment']]).toEqual([true, 'updated'])
  expect(server.comments).toHaveLength(1)
}, 240_000)

test('a fork gets only the summary, and no case that needs a key', async () => {
  server.isFork = true
  const { outputs, summary, succeeded } = await act({ 'fail-on': 'returns', models: 'openai:gpt-x' }, 'eve/shop')
  expect(outputs).toMatchObject({ comment: 'refused', warnings: '1', result: 'failed' })
  expect(succeeded).toBe(false)
  expect(summary).toContain('a fork has no key')
  expect(server.comments).toEqual([])
}, 120_000)

test('the tests of the base can be run for comparison', async () => {
  people = 12
  const { outputs } = await act({ baseline: 'run', comment: 'false' })
  // The base has the same result with the same model: a failure there is not a regression here.
  expect(outputs).toMatchObject({ regressions: '0', comment: 'none' })
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
}, 120_000)

test.each<[string, Record<string, string>, RegExp]>([
  ['a word that fail-on does not know', { 'fail-on': 'everything' }, /fail-on knows/],
  ['a folder outside', { 'working-directory': '../..' }, /outside of the repository/],
  ['a base that is not there', { base: '--output=owned' }, /fetch-depth: 0/],
  ['a version that is none', { version: 'x; touch owned' }, /is no version/],
  ['threads that are no number', { threads: 'many' }, /threads is a number/],
])(
  'reports an invalid input in one line: %s',
  async (_what, inputs, said) => {
    const { succeeded, log, outputs } = await act(inputs)
    expect([succeeded, outputs['comment']]).toEqual([false, 'none'])
    expect(log).toMatch(said)
    expect(existsSync(join(workspace, 'owned'))).toBe(false)
  },
  60_000,
)
