import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGithubSource } from '../../src/context/source/github/github-source.ts'
import { sha256 } from '../../src/kernel/domain/sha256.ts'
import { describeSource } from '../contract/source.contract.ts'
import { openContextDesk } from './context-desk.ts'
import { serveWeb, type WebServer } from './web-server.ts'

const TOKEN = 'integration-token-1234'

interface Thread {
  number: number
  body: string
  updated: string
  comments?: readonly string[]
  pull?: { readonly merged: boolean; readonly reviews: readonly object[] }
}

type Answer = { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }

/** GitHub as documented: pages with Link headers, ETags, tokens, and a request limit. */
async function serveGithub(threads: Map<number, Thread>, perPart = 100) {
  const state = { answer: undefined as ((path: string) => Answer | undefined) | undefined, unchanged: 0 }
  const issueOf = ({ number, body, updated, comments = [], pull }: Thread) => ({
    number,
    title: `Thread ${number}`,
    state: pull?.merged ? 'closed' : 'open',
    user: { login: 'ada', type: 'User' },
    labels: [{ name: 'bug' }],
    created_at: '2026-01-01T00:00:00Z',
    updated_at: updated,
    closed_at: pull?.merged ? updated : null,
    html_url: `https://github.com/acme/web/${pull ? 'pull' : 'issues'}/${number}`,
    body,
    comments: comments.length,
    ...(pull && { pull_request: { merged_at: pull.merged ? updated : null } }),
  })
  const web: WebServer = await serveWeb(({ path, query, headers }) => {
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, body: { message: 'Bad credentials' } }
    const special = state.answer?.(path)
    if (special !== undefined) return special
    const [, number, kind] = /^\/repos\/acme\/web\/(?:issues|pulls)(?:\/(\d+))?(?:\/(\w+))?$/.exec(path) ?? []
    if (number === undefined) {
      const page = Number(query.get('page') ?? 1)
      const all = [...threads.values()].toSorted((a, b) => a.number - b.number)
      const found = all.slice((page - 1) * perPart, page * perPart).map(issueOf)
      const etag = `W/"${sha256(JSON.stringify([found, all.length > page * perPart])).slice(0, 16)}"`
      if (headers['if-none-match'] === etag) {
        state.unchanged++
        return { status: 304, headers: { etag }, body: '' }
      }
      query.set('page', String(page + 1))
      const link = `<${web.url}${path}?${query}>; rel="next", <${web.url}${path}?page=9>; rel="last"`
      return { headers: { etag, ...(all.length > page * perPart && { link }) }, body: found }
    }
    const thread = threads.get(Number(number))
    if (thread === undefined) return undefined
    if (kind === 'reviews') return { body: thread.pull?.reviews ?? [] }
    if (kind === 'comments')
      return {
        body: path.includes('/pulls/')
          ? []
          : (thread.comments ?? []).map((body) => ({
              user: { login: 'bob' },
              body,
              created_at: '2026-01-02T00:00:00Z',
            })),
      }
    const pulled = thread.pull?.merged && { merged_at: thread.updated, merge_commit_sha: 'f'.repeat(40) }
    return { body: { ...issueOf(thread), ...pulled, head: { ref: 'fix' }, base: { ref: 'main' } } }
  })
  return { web, state }
}

const DAY = (n: number): string => `2026-02-0${n}T00:00:00Z`

describeSource('GitHub', async () => {
  const threads = new Map<number, Thread>([
    [1, { number: 1, body: 'first words', updated: DAY(1) }],
    [2, { number: 2, body: 'x', comments: ['second words'], updated: DAY(1) }],
  ])
  const folder = mkdtempSync(join(tmpdir(), 'ken-github-'))
  const { web, state } = await serveGithub(threads, 1)
  return {
    open: async () =>
      openGithubSource({
        address: `${web.url}/repos/acme/web`,
        token: TOKEN,
        state: 'all',
        bots: false,
        target: 'docs/github/x',
        cache: join(folder, 'x.json'),
      }),
    change: async () => void threads.set(1, { number: 1, body: 'other words', updated: DAY(2) }),
    remove: async () => void threads.delete(2),
    lose: async () => void (state.answer = () => ({ status: 401, body: { message: `no ${TOKEN}` } })),
    secret: TOKEN,
    close: async () => {
      rmSync(folder, { recursive: true })
      await web.close()
    },
  }
})

describe('issues and pull requests over the API', () => {
  const threads = new Map<number, Thread>()
  let github: Awaited<ReturnType<typeof serveGithub>>
  let desk: ReturnType<typeof openContextDesk>
  beforeEach(async () => {
    threads.clear()
    for (const number of [1, 2, 3]) threads.set(number, { number, body: `body ${number}`, updated: DAY(1) })
    threads.set(4, {
      number: 4,
      body: 'Fixes #2',
      updated: DAY(3),
      comments: ['Looks good'],
      pull: {
        merged: true,
        reviews: [{ user: { login: 'carol' }, state: 'CHANGES_REQUESTED', body: 'Not yet', submitted_at: DAY(2) }],
      },
    })
    github = await serveGithub(threads, 2)
    desk = openContextDesk({ GH: TOKEN })
    desk.configure({ name: 'x', github: { repository: 'acme/web', url: github.web.url, token: '${GH}' } })
  })
  afterEach(async () => {
    await desk.close()
    await github.web.close()
  })
  const read = (path: string): string => desk.read(`docs/github/github/${path}`)
  const failure = async (): Promise<string> =>
    (await desk.sync()).failures.map(({ item, message }) => `${item} ${message}`).join('\n')

  test('every page of the list is followed, and a pull request has its reviews, commit and closed issues', async () => {
    expect((await desk.sync()).failures).toEqual([])
    expect(read('issues/2.md')).toContain('Closed by #4.')
    expect(read('pulls/4.md')).toContain(
      'merged, opened 2026-01-01, merged 2026-02-03, as ffffffffffff, fix → main. Labels: bug. Closes #2.',
    )
    expect(read('pulls/4.md')).toContain(
      '**bob**, 2026-01-02: Looks good\n\n**carol**, 2026-02-02, changes requested: Not yet',
    )
    expect(github.web.requests.filter((path) => path.endsWith('/comments'))).toEqual([
      'GET /repos/acme/web/issues/4/comments',
      'GET /repos/acme/web/pulls/4/comments',
    ])
  })

  test('an unchanged list costs one request per page and fetches nothing; a changed list fetches only its changes', async () => {
    await desk.sync()
    github.web.requests.length = 0
    expect((await desk.sync()).due).toEqual([])
    expect(github.web.requests).toHaveLength(2)
    expect(github.state.unchanged).toBe(2)
    threads.set(3, { number: 3, body: 'new body', updated: DAY(4) })
    github.web.requests.length = 0
    expect((await desk.sync()).due).toMatchObject([{ item: '#3 Thread 3', reason: 'changed' }])
    expect(github.web.requests).toHaveLength(2)
    expect(read('issues/3.md')).toContain('new body')
    // A page missing from the tree is fetched again, although the list has nothing new.
    rmSync(desk.path('docs/github/github/issues/1.md'))
    await desk.sync()
    expect(read('issues/1.md')).toContain('body 1')
  })

  test('after a rate limit of GitHub no more requests are sent, and the next run resumes', async () => {
    const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1790000000' }
    github.state.answer = (path) =>
      /reviews|comments/.test(path)
        ? { status: 403, headers: spent, body: { message: 'API rate limit exceeded' } }
        : undefined
    for (const number of [5, 6]) threads.set(number, { number, body: 'x', updated: DAY(1), comments: ['hi'] })
    const said = await failure()
    expect(said).toContain('GitHub takes no more requests until 2026-09-21 14:13 UTC.')
    expect(github.web.requests.filter((path) => /reviews|comments/.test(path))).toHaveLength(1)
    github.state.answer = undefined
    expect(await failure()).toBe('')
    expect(read('issues/6.md')).toContain('hi')
  })

  test.each<[string, (path: string) => Answer | undefined, RegExp]>([
    ['refuses the token', () => ({ status: 401, body: {} }), /it answered 401.*Check the token/],
    ['forbids', () => ({ status: 403, body: { message: 'no' } }), /it answered 403/],
    [
      'asks for a long pause',
      () => ({ status: 429, headers: { 'retry-after': '3600' }, body: {} }),
      /takes no more requests for 3600 seconds/,
    ],
    ['answers with a page', () => ({ body: '<html>Sign in</html>' }), /not JSON/],
    ['answers with an object', () => ({ body: { issues: [] } }), /no list/],
    ['lists something else', () => ({ body: [{ name: 'x' }] }), /neither an issue nor a pull request/],
    ['answers without an end', () => ({ body: 'x'.repeat(11 * 1024 ** 2) }), /larger than 10 MB/],
    [
      'leads to another host',
      () => ({ headers: { link: '<https://evil.example/x>; rel="next"' }, body: [] }),
      /evil\.example is not a host that ken\.yaml names/,
    ],
    [
      'leads in a circle',
      () => ({ headers: { link: `<${github.web.url}/repos/acme/web/issues?page=1>; rel="next"` }, body: [] }),
      /an endless list/,
    ],
  ])('existing pages are kept when the GitHub server %s', async (_what, answer, why) => {
    await desk.sync()
    github.state.answer = answer
    expect(await failure()).toMatch(why)
    expect(read('issues/1.md')).toContain('body 1')
  })

  test('waits for a short pause, and retries a server that fails once', async () => {
    let times = 0
    github.state.answer = () =>
      times++ < 2
        ? times === 1
          ? { status: 429, headers: { 'retry-after': '0' }, body: {} }
          : { status: 500, body: {} }
        : undefined
    expect(await failure()).toBe('')
  })
})
