import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'
import { zipped } from './zip-writer.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const put = (name: string, bytes: Buffer): void => {
  mkdirSync(dirname(desk.path(name)), { recursive: true })
  writeFileSync(desk.path(name), bytes)
}
const pages = (folder: string): readonly string[] =>
  Object.keys(desk.files())
    .filter((path) => path.startsWith(folder))
    .sort()
const json = (value: unknown): string => JSON.stringify(value)

describe('a Slack export', () => {
  const message = (user: string, day: string, text: string) => ({
    type: 'message',
    user,
    ts: String(Date.parse(`${day}T10:00:00Z`) / 1000),
    text,
  })
  const EXPORT: Readonly<Record<string, string>> = {
    'channels.json': json([
      { id: 'C1', name: 'general' },
      { id: 'C2', name: 'random' },
    ]),
    'groups.json': json([{ id: 'G1', name: 'board' }]),
    'dms.json': json([{ id: 'D1', members: ['U1', 'U2'] }]),
    'users.json': json([
      { id: 'U1', name: 'ada', profile: { display_name: 'Ada', email: 'ada@acme.example' } },
      { id: 'U2', name: 'bob', profile: { real_name: 'Bob' } },
    ]),
    'general/2026-01-05.json': json([message('U1', '2026-01-05', 'Revenue is net, <@U2>')]),
    'general/2026-02-01.json': json([message('U2', '2026-02-01', 'the key is AKIAZ7QK3WJH5TNV2XBD and \u001b[2Jgone')]),
    'random/2026-01-05.json': json([message('U1', '2026-01-05', 'lunch')]),
    'board/2026-01-05.json': json([message('U1', '2026-01-05', 'salaries')]),
    'D1/2026-01-05.json': json([message('U1', '2026-01-05', 'between us')]),
  }
  const unpack = (): void => {
    for (const [path, text] of Object.entries(EXPORT)) desk.write(`../in/${path}`, text)
  }

  test('public channels become a page per month, without private ones; names are resolved, secrets masked', async () => {
    unpack()
    desk.configure({ name: 'x', slack: { path: '../in', exclude: ['random'] } })
    expect((await desk.sync()).failures).toEqual([])
    expect(pages('docs/')).toEqual(['docs/slack/slack/general/2026-01.md', 'docs/slack/slack/general/2026-02.md'])
    expect(desk.read('docs/slack/slack/general/2026-01.md')).toContain('- 10:00 Ada: Revenue is net, @Bob')
    expect(desk.read('docs/slack/slack/general/2026-02.md')).not.toContain('AKIAZ7QK3WJH5TNV2XBD')
    expect(json(desk.files())).not.toMatch(/salaries|between us|@acme/)
    expect(desk.read('docs/slack/slack/general/2026-02.md')).toContain('and [2Jgone')
  })

  test('private channels, and then direct messages, are included on request', async () => {
    unpack()
    desk.configure({ name: 'x', slack: { path: '../in', private: 'channels', include: ['board', 'Ada*'] } })
    await desk.sync()
    expect(pages('docs/')).toEqual(['docs/slack/slack/board/2026-01.md'])
    desk.configure({ name: 'x', slack: { path: '../in', private: 'all', include: ['board', 'Ada*'] } })
    await desk.sync()
    expect(pages('docs/')).toHaveLength(2)
  })

  test('a zip produces the same pages, in a folder or not, and a newer one updates only changed pages', async () => {
    const files = (more: Record<string, string> = {}) =>
      Object.entries({ ...EXPORT, ...more }).map(([path, text]) => ({ path, text }))
    put('team.zip', zipped(files().map((file) => ({ ...file, path: `Team export/${file.path}` }))))
    desk.configure({ name: 'x', slack: [{ name: 'team', path: 'team.zip', since: '2026-01-06' }] })
    await desk.sync()
    expect(pages('docs/')).toEqual(['docs/slack/team/general/2026-02.md'])
    desk.configure({ name: 'x', slack: [{ name: 'team', path: 'team.zip' }] })
    await desk.sync()
    put('team.zip', zipped(files({ 'general/2026-02-02.json': json([message('U1', '2026-02-02', 'back')]) })))
    const output = await desk.sync()
    expect(output.due.map(({ item }) => item)).toEqual(['general 2026-02'])
  })

  test('a broken day is named, a folder that is not an export fails, and a link is not followed', async () => {
    unpack()
    desk.write('../in/general/2026-02-01.json', '{"broken')
    desk.write('../secret.json', json([message('U1', '2026-03-01', 'a diary')]))
    symlinkSync(desk.path('../secret.json'), desk.path('../in/general/2026-03-01.json'))
    desk.configure({
      name: 'x',
      slack: [
        { name: 'a', path: '../in', include: ['general'] },
        { name: 'b', path: 'docs' },
      ],
    })
    desk.write('docs/note.md', 'mine')
    const output = await desk.sync()
    expect(output.skipped).toMatchObject([{ item: 'general/2026-02-01.json' }])
    expect(output.failures.map(({ message: text }) => text).join()).toContain('is not a Slack export')
    expect(pages('docs/slack')).toEqual(['docs/slack/a/general/2026-01.md'])
  })
})

describe('hostile input', () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const day = (text: string): string => json([{ type: 'message', ts: '1767607200', user: 'U1', text }])

  test('endlessly nested JSON and endless markup only take time in proportion to their length', async () => {
    desk.write(
      '../in/channels.json',
      json([
        { id: 'C1', name: '../../etc' },
        { id: '__proto__', name: '__proto__' },
      ]),
    )
    desk.write('../in/users.json', deep)
    desk.write('../in/../../etc/2026-01-05.json', day('outside'))
    desk.write('../in/__proto__/2026-01-05.json', deep)
    desk.write(
      '../in/__proto__/2026-01-06.json',
      day(['<', '*a', '`', '``` `', ' ', '<!', '&lt;'].map((part) => part.repeat(50_000)).join('\n')),
    )
    desk.configure({ name: 'x', slack: { path: '../in' }, openlineage: { path: '../in' }, github: { path: '../in' } })
    const { failures } = await desk.sync()
    expect(failures.map(({ source }) => source).sort()).toEqual(['github/github', 'openlineage/openlineage'])
    expect(pages('docs/slack')).toEqual(['docs/slack/slack/__proto__/2026-01.md'])
    expect(json(desk.files())).not.toContain('outside')
  })

  test('a zip bomb, or a zip that leads out of itself, is refused or read within its folder', async () => {
    put('../bomb.zip', zipped([{ path: 'channels.json', text: Buffer.alloc(30 * 1024 ** 2, ' ') }]))
    put(
      '../out.zip',
      zipped([
        { path: 'channels.json', text: json([{ id: 'C1', name: 'a' }]) },
        { path: 'a/2026-01-05.json', text: day('kept') },
        { path: '../../../a/2026-01-06.json', text: day('never') },
        { path: 'inner.zip', text: zipped([{ path: 'channels.json', text: '[]' }]) },
      ]),
    )
    desk.configure({ name: 'x', slack: ['bomb', 'out'].map((name) => ({ name, path: `../${name}.zip` })) })
    const { failures } = await desk.sync()
    expect(failures.map(({ source, message }) => `${source} ${message}`)).toEqual([
      expect.stringMatching(/^slack\/bomb .*far more than any text/),
    ])
    expect(desk.read('docs/slack/out/a/2026-01.md')).toContain('kept')
    expect(json(desk.files())).not.toContain('never')
  })

  test('an export outside the project and an address need trust first', async () => {
    const stranger = openContextDesk({ T: 'token-of-the-user' }, { trusted: false })
    try {
      for (const folder of ['in', 'dags']) stranger.write(`../${folder}/a.txt`, '')
      stranger.configure({
        name: 'x',
        slack: { path: '../in' },
        airflow: { path: '../dags' },
        github: { repository: 'acme/web', token: '${T}' },
      })
      const told = (await stranger.sync()).failures.map(({ message }) => message).join('\n')
      expect(told).toMatch(/slack\/slack is not trusted yet; it would read \S+\/in/)
      expect(told).toMatch(/airflow\/airflow is not trusted yet; it would read \S+\/dags/)
      expect(told).toMatch(/would fetch https:\/\/api\.github\.com\/repos\/acme\/web[^]*take T from the environment/)
    } finally {
      await stranger.close()
    }
  })
})

describe('a GitHub export', () => {
  const issue = {
    number: 7,
    title: 'Orders are counted twice',
    state: 'CLOSED',
    stateReason: 'COMPLETED',
    author: { login: 'ada' },
    labels: [{ name: 'bug' }],
    createdAt: '2026-01-02T10:00:00Z',
    updatedAt: '2026-01-05T10:00:00Z',
    closedAt: '2026-01-05T10:00:00Z',
    url: 'https://github.com/acme/web/issues/7',
    body: '<!-- fill this in -->\nSince May.',
    comments: [
      { author: { login: 'bob' }, body: 'A join on `email`.', createdAt: '2026-01-03T10:00:00Z' },
      { author: { login: 'ci[bot]' }, body: 'Preview is ready', createdAt: '2026-01-03T11:00:00Z' },
    ],
  }
  const pull = {
    number: 8,
    title: 'Join on id',
    state: 'MERGED',
    author: { login: 'bob' },
    labels: [],
    createdAt: '2026-01-04T10:00:00Z',
    updatedAt: '2026-01-05T10:00:00Z',
    mergedAt: '2026-01-05T10:00:00Z',
    mergeCommit: { oid: '0123456789abcdef0123456789abcdef01234567' },
    headRefName: 'join',
    baseRefName: 'main',
    url: 'https://github.com/acme/web/pull/8',
    body: 'Fixes #7',
    reviews: [{ author: { login: 'ada' }, body: '', state: 'APPROVED', submittedAt: '2026-01-05T09:00:00Z' }],
  }

  test('each item in the output of `gh` becomes a page, with links between them', async () => {
    desk.write('in/issues.json', json([issue]))
    desk.write('in/prs.json', json([pull]))
    desk.configure({ name: 'x', github: { path: 'in' } })
    expect((await desk.sync()).failures).toEqual([])
    expect(desk.read('docs/github/github/issues/7.md')).toContain(
      '# #7 Orders are counted twice\n\nIssue by ada, closed, opened 2026-01-02, closed 2026-01-05. Labels: bug. Closed by #8.\n<https://github.com/acme/web/issues/7>\n\nSince May.\n\n## Comments\n\n**bob**, 2026-01-03: A join on `email`.\n',
    )
    expect(desk.read('docs/github/github/pulls/8.md')).toContain(
      'Pull request by bob, merged, opened 2026-01-04, merged 2026-01-05, as 0123456789ab, join → main. Closes #7.',
    )
    expect(desk.read('docs/github/github/pulls/8.md')).toContain('**ada**, 2026-01-05, approved\n')
  })

  test('a migration archive includes its comments, and several repositories', async () => {
    const at = { created_at: '2026-01-02T10:00:00Z' }
    desk.write(
      'in/issues_000001.json',
      json(
        ['acme/web', 'acme/data'].map((repository) => ({
          type: 'issue',
          url: `https://github.com/${repository}/issues/1`,
          user: 'https://github.com/ada',
          title: `First of ${repository}`,
          body: 'Hello',
          labels: [`https://github.com/${repository}/labels/good%20first%20issue`],
          closed_at: null,
          ...at,
        })),
      ),
    )
    desk.write(
      'in/issue_comments_000001.json',
      json([
        {
          type: 'issue_comment',
          url: 'https://github.com/acme/web/issues/1#issuecomment-1',
          issue: 'https://github.com/acme/web/issues/1',
          user: 'https://github.com/bob',
          body: 'Seen.',
          ...at,
        },
      ]),
    )
    desk.write(
      'in/users_000001.json',
      json([{ type: 'user', login: 'ada', emails: [{ address: 'ada@acme.example' }] }]),
    )
    desk.configure({ name: 'x', github: [{ name: 'all', path: 'in' }] })
    await desk.sync()
    expect(pages('docs/')).toEqual(['docs/github/all/acme-data/issues/1.md', 'docs/github/all/acme-web/issues/1.md'])
    expect(desk.read('docs/github/all/acme-web/issues/1.md')).toMatch(
      /Issue by ada, open, opened 2026-01-02\. Labels: good first issue\.[^]*\*\*bob\*\*, 2026-01-02: Seen\./,
    )
    desk.configure({ name: 'x', github: [{ name: 'all', path: 'in', repository: 'acme/data' }] })
    await desk.sync()
    expect(pages('docs/')).toEqual(['docs/github/all/issues/1.md'])
  })

  test('a folder without issues or pull requests fails, and a file that is not JSON is named', async () => {
    desk.write('in/a.json', '{')
    desk.configure({ name: 'x', github: { path: 'in' } })
    expect((await desk.sync()).failures[0]?.message).toContain('No issues or pull requests found')
  })
})

describe('a Google Drive export', () => {
  const docx = (text: string): Buffer =>
    zipped([
      {
        path: 'word/document.xml',
        text: `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`,
      },
      { path: '../../escaped.txt', text: 'never written' },
    ])

  test('pages and documents become Markdown, text is kept unchanged', async () => {
    put('../drive/Plans/Terms.docx', docx('Churn is 90 days.'))
    desk.write(
      '../drive/Wiki.html',
      '<html><head><title>Wiki</title><style>p{}</style></head><body><p>See <a href="https://www.google.com/url?q=https://a.example/x%3Fb%3D1&amp;sa=D">this</a></p></body></html>',
    )
    desk.write('../drive/note.txt', 'plain')
    desk.write('../drive/rates.csv', 'a,b\n1,2\n')
    desk.configure({ name: 'x', docs: [{ name: 'drive', path: '../drive' }] })
    expect((await desk.sync()).failures).toEqual([])
    expect(pages('docs/')).toEqual([
      'docs/drive/Plans/Terms.md',
      'docs/drive/Wiki.md',
      'docs/drive/note.txt',
      'docs/drive/rates.csv',
    ])
    expect(desk.read('docs/drive/Plans/Terms.md')).toContain('# Terms\n\nChurn is 90 days.')
    expect(desk.read('docs/drive/Wiki.md')).toContain('# Wiki\n\nSee [this](https://a.example/x?b=1)')
    expect((await desk.sync()).due).toEqual([])
    expect(desk.exists('../escaped.txt') || desk.exists('escaped.txt')).toBe(false)
  })

  test('a broken document and a bomb do not affect the others, and two with the same name both get a page', async () => {
    put('../drive/bad.docx', Buffer.from('not a zip'))
    put('../drive/bomb.docx', zipped([{ path: 'word/document.xml', text: Buffer.alloc(20 * 1024 ** 2, 'a') }]))
    put('../drive/a.docx', docx('one'))
    desk.write('../drive/a.md', 'two')
    desk.configure({ name: 'x', docs: [{ name: 'drive', path: '../drive' }] })
    const { failures } = await desk.sync()
    expect(failures.map(({ item, message }) => `${item}: ${message}`)).toEqual([
      expect.stringMatching(/^bad\.docx: .*no zip file/),
      expect.stringMatching(/^bomb\.docx: .*far more than any text/),
    ])
    expect(pages('docs/drive')).toHaveLength(2)
  })
})
