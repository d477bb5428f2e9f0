import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { z } from 'zod'
import { readAction } from './github/action-steps.ts'
import { openCommentsServer, type CommentsServer } from './github/comments-server.ts'

const ROOT = resolve(import.meta.dirname, '..')
const SCRIPTS = join(ROOT, 'integrations/github-action')
const { commentDifference } = (await import(join(SCRIPTS, 'comment.mjs'))) as {
  commentDifference(env: Readonly<Record<string, string>>, say: (line: string) => void): Promise<string>
}

describe('action.yml', () => {
  const words = z.string().min(1)
  // https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax, for composite actions.
  const step = { name: words, id: words, if: words, env: z.record(words, z.string()), 'working-directory': words }
  const some = z.object(step).partial().shape
  const metadata = z.strictObject({
    name: words,
    author: words.optional(),
    description: words,
    inputs: z.record(
      z.string().regex(/^[a-z][a-z0-9-]*$/),
      z.strictObject({
        description: words,
        required: z.boolean().optional(),
        default: z.string().optional(),
        deprecationMessage: words.optional(),
      }),
    ),
    outputs: z.record(z.string().regex(/^[a-z][a-z0-9-]*$/), z.strictObject({ description: words, value: words })),
    runs: z.strictObject({
      using: z.literal('composite'),
      steps: z.array(
        z.union([
          z.strictObject({ ...some, run: words, shell: z.enum(['bash', 'pwsh', 'python', 'sh', 'cmd', 'powershell']) }),
          z.strictObject({
            ...some,
            uses: words,
            with: z.record(words, z.union([z.string(), z.boolean()])).optional(),
          }),
        ]),
      ),
    }),
    branding: z.strictObject({
      icon: words,
      color: z.enum(['white', 'yellow', 'blue', 'green', 'orange', 'red', 'purple', 'gray-dark']),
    }),
  })

  test('is a valid composite action', () => {
    const document = parseDocument(readFileSync(join(ROOT, 'action.yml'), 'utf8'), { strict: true, uniqueKeys: true })
    expect([...document.errors, ...document.warnings]).toEqual([])
    expect(metadata.safeParse(document.toJS()).error?.issues).toBeUndefined()
  })

  test('puts nothing from a pull request into a script, and pins other actions by commit', () => {
    for (const { run = '', uses } of readAction().runs.steps) {
      expect(run).not.toContain('${{')
      if (uses !== undefined) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
    }
  })

  test('passes every input to a step, and sets every output in a step', () => {
    const { inputs, outputs, runs } = readAction()
    const used = JSON.stringify(runs)
    for (const name of Object.keys(inputs)) expect(used).toContain(`inputs.${name}`)
    const ids = runs.steps.flatMap(({ id }) => id ?? [])
    for (const { value } of Object.values(outputs)) expect(ids).toContain(/steps\.(\w+)\.outputs/.exec(value)?.[1])
  })

  test('passes its token only to the step that comments', () => {
    const knowing = readAction().runs.steps.filter((one) => JSON.stringify(one).includes('github-token'))
    expect(knowing.map(({ id }) => id)).toEqual(['comment'])
  })

  test('matches the example and the inputs in the guide', () => {
    const { inputs } = readAction()
    const guide = readFileSync(join(ROOT, 'docs/guides/tests.md'), 'utf8')
    const [, example] = /```yaml\n(name: ken\n[\s\S]*?)```/.exec(guide)!
    const { jobs, permissions, on } = parse(example!) as {
      on: unknown
      permissions: object
      jobs: Record<string, { steps: { uses?: string; with?: Record<string, string> }[] }>
    }
    expect(permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
    expect(JSON.stringify(on)).not.toContain('pull_request_target')
    const { with: given = {} } = jobs['ken']!.steps.at(-1)!
    expect(Object.keys(given).filter((name) => !Object.hasOwn(inputs, name))).toEqual([])
    for (const name of Object.keys(inputs)) expect(guide).toContain(`| \`${name}\` |`)
  })
})

describe('the comment', () => {
  let server: CommentsServer
  let folder: string
  beforeAll(async () => (server = await openCommentsServer()))
  afterAll(() => server.close())
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ken-comment-'))
    Object.assign(server, { isFork: false, status: undefined })
    server.comments.length = 0
    server.asked.length = 0
    return () => rmSync(folder, { recursive: true, force: true })
  })

  const MARK = '<!-- ken:. -->'
  const other = (body: string, login = 'eve') => ({
    id: server.comments.length + 1,
    user: { login, type: 'User' },
    body,
  })

  async function say(body: string, more: Readonly<Record<string, unknown>> = {}) {
    const { isWorthIt = true, event = { pull_request: { number: 7 } }, ...env } = more
    mkdirSync(join(folder, 'ken-action'), { recursive: true })
    writeFileSync(join(folder, 'ken-action/comment.json'), JSON.stringify({ body, isWorthIt }))
    writeFileSync(join(folder, 'event.json'), JSON.stringify(event))
    let log = ''
    const outcome = await commentDifference(
      {
        RUNNER_TEMP: folder,
        GITHUB_API_URL: server.url,
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'acme/shop',
        KEN_ACTION_COMMENT: 'true',
        KEN_ACTION_FOLDER: '.',
        KEN_ACTION_TOKEN: 'job-token',
        ...(env as Record<string, string>),
      },
      (line) => (log += line),
    )
    return { outcome, log }
  }

  test('is created once, edited in place, and left unchanged while its text is the same', async () => {
    expect((await say('one')).outcome).toBe('created')
    expect((await say('two')).outcome).toBe('updated')
    server.comments[0]!.body = server.comments[0]!.body.replaceAll('\n', '\r\n')
    server.asked.length = 0
    expect((await say('two')).outcome).toBe('unchanged')
    expect(server.asked.filter(({ line }) => !line.startsWith('GET'))).toEqual([])
    expect(server.comments.map(({ body }) => body)).toEqual([`${MARK}\r\ntwo`])
    expect(server.asked.every(({ token }) => token === 'Bearer job-token')).toBe(true)
  })

  test('is found after hundreds of others', async () => {
    for (let i = 0; i < 250; i++) server.comments.push(other(`comment ${i}`))
    await say('one')
    expect((await say('two')).outcome).toBe('updated')
    expect(server.comments).toHaveLength(251)
  })

  test('does not change another author’s comment that contains the mark', async () => {
    server.comments.push(other(`${MARK}\nmine`), other(`quoting ${MARK}`, 'github-actions[bot]'))
    expect((await say('one')).outcome).toBe('created')
    expect(server.comments.map(({ body }) => body)).toEqual([`${MARK}\nmine`, `quoting ${MARK}`, `${MARK}\none`])
  })

  test('is separate for another folder', async () => {
    await say('one')
    expect((await say('one', { KEN_ACTION_FOLDER: 'data/shop --> x' })).outcome).toBe('created')
    expect(server.comments[1]!.body).toMatch(/^<!-- ken:data%2Fshop%20--%3E%20x -->\n/)
  })

  test('is not created if there is nothing to report, and is deleted once the problems are gone', async () => {
    expect((await say('all well', { isWorthIt: false })).outcome).toBe('none')
    await say('trouble')
    server.comments.push(other('thanks'))
    expect((await say('all well', { isWorthIt: false })).outcome).toBe('deleted')
    expect(server.comments.map(({ body }) => body)).toEqual(['thanks'])
    expect((await say('all well', { isWorthIt: false })).outcome).toBe('none')
  })

  test('is refused for a fork, which does not fail the job', async () => {
    server.isFork = true
    const { outcome, log } = await say('one')
    expect(outcome).toBe('refused')
    expect(log).toContain('pull-requests: write')
  })

  test.each([500, 302, 404])('does not fail the job if GitHub answers %d', async (code) => {
    server.status = code
    const { outcome, log } = await say('one')
    expect(outcome).toMatch(/^(failed|refused)$/)
    expect(log).not.toContain('job-token')
  })

  test.each<[string, Record<string, unknown>]>([
    ['a push', { event: { before: 'abc' } }],
    ['an event without a number', { event: { pull_request: { number: '7/../..' } } }],
    ['comment: false', { KEN_ACTION_COMMENT: 'false' }],
    ['a repository that is none', { GITHUB_REPOSITORY: '../..' }],
  ])('is not written for %s', async (_what, more) => {
    expect((await say('one', more)).outcome).toBe('none')
    expect(server.asked).toEqual([])
  })
})

test('text from a change notifies nobody, links nowhere and breaks no table', async () => {
  const { plain } = (await import(join(SCRIPTS, 'report.mjs'))) as { plain(text: string): string }
  const said = plain(
    '@octocat |x| <img src=a> [a](http://evil) #12 GH-12 www.evil.com `x` \n::error::\u202e **b** deadbeefcafe',
  )
  expect(said).not.toMatch(/@\w|#\d|GH-|www\.|:\/\/|(?<!\\)[|`*[\]]|[<>\n\u202e]|[0-9a-f]{8}/)
  expect(plain('a'.repeat(1_000)).length).toBeLessThan(700)
})
