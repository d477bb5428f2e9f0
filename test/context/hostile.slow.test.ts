import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGitSource } from '../../src/context/source/git/git-source.ts'
import { tarEntries } from '../../src/retrieval/model-registry/tar-entries.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'
import { serveWeb, type WebServer } from './web-server.ts'

let desk: ContextDesk
let server: WebServer | undefined
beforeEach(() => {
  desk = openContextDesk({ NOTION_TOKEN: 'some-token', CONFLUENCE_TOKEN: 'some-token' })
  desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER)', 'CREATE TABLE users (id INTEGER)')
})
afterEach(async () => {
  await desk.close()
  await server?.close()
  server = undefined
})

const SHOP = { name: 'shop', type: 'sqlite', path: 'shop.db' }
const written = (): readonly string[] => Object.keys(desk.files()).filter((path) => path.endsWith('/columns.md'))

describe('a manifest from a clone', () => {
  const entry = (path: string, more: object = {}): string =>
    JSON.stringify({
      source: 'database/gone',
      item: 'main.x',
      title: 'main.x',
      fingerprint: 'x',
      checked_at: '2026-01-01',
      files: [{ path, hash: 'x', bytes: 1, tokens: 1, fetched_at: '2026-01-01', framed: true }],
      ...more,
    })

  const PLACES = [
    '../../outside.md',
    '/etc/passwd',
    'a/../../b.md',
    'databases',
    'ken.yaml/x.md',
    'a\0b.md',
    'C:\\x.md',
    '',
    '.',
    `${'a/'.repeat(3_000)}b.md`,
    `${'a'.repeat(400)}.md`,
  ]

  test.each(['database/gone', 'database/shop', 'templates', 'ken'])(
    'may claim anything for %s, and all sources are compiled',
    async (source) => {
      desk.configure({ name: 'shop', databases: [SHOP] })
      desk.write('databases/mine.md', 'by hand\n')
      desk.write('../outside.md', 'outside\n')
      const lines = PLACES.map((path, i) =>
        entry(path, { source, item: source === 'database/shop' && i === 3 ? 'main.orders' : `main.x${i}` }),
      )
      desk.write('.ken/context-manifest.jsonl', ['{"version":1}', ...lines, ''].join('\n'))
      await desk.sync()
      expect(written()).toHaveLength(2)
      expect([desk.read('databases/mine.md'), desk.read('../outside.md')]).toEqual(['by hand\n', 'outside\n'])
    },
  )

  test.each([
    ['nothing', ''],
    ['noise', randomBytes(5_000).toString('latin1')],
    ['deep lists', `${'['.repeat(200_000)}\n`],
    ['a value of another kind', '{"source":1}\n[]\nnull\n"x"\n'],
    ['one endless line', 'x'.repeat(20_000_000)],
  ])('may be %s, and all sources are compiled', async (_name, text) => {
    desk.configure({ name: 'shop', databases: [SHOP] })
    desk.write('.ken/context-manifest.jsonl', text)
    expect((await desk.sync()).failures).toEqual([])
    expect(written()).toHaveLength(2)
  })
})

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`

describe('a hostile or broken source', () => {
  test.each([
    ['no JSON', 'not json'],
    ['deep lists', `${'['.repeat(500_000)}`],
    ['a list', '[]'],
    [
      'names that lead elsewhere',
      JSON.stringify({
        nodes: {
          a: { unique_id: 'a', resource_type: 'model', name: '../../../x' },
          b: 7,
          c: { unique_id: 'c', resource_type: 'model', name: 'fine' },
        },
      }),
    ],
    [
      'a model of twenty megabytes',
      JSON.stringify({
        nodes: { a: { unique_id: 'a', resource_type: 'model', name: 'a', raw_code: 'x'.repeat(20_000_000) } },
      }),
    ],
  ])('a dbt manifest with %s does not affect the others', async (_name, text) => {
    desk.write('dbt/target/manifest.json', text)
    desk.configure({ name: 'shop', databases: [SHOP], dbt: { path: 'dbt' } })
    const report = await desk.sync()
    expect(written()).toHaveLength(2)
    expect(report.failures.length + report.skipped.length).toBeGreaterThan(0)
    expect(desk.exists('../x.md')).toBe(false)
  })

  test.each([
    ['dbt', 'dbt/target/manifest.json', `{"nodes":{},"metrics":{"m":{"name":"m","type_params":${DEEP}}}}`],
    ['dbt', 'dbt/target/semantic_manifest.json', `{"metrics":[{"name":"m","filter":${DEEP}}]}`],
    ['dbt', 'dbt/models/m.yml', 'metrics: [{ name: m, filter: "{{ Dimension(\'../../x\') }}" }]'],
    ['looker', 'looker/a.view.lkml', `view: ../../x { ${'dimension: b { '.repeat(30)}${'}'.repeat(31)}`],
    [
      'cube',
      'cube/a.yml',
      'cubes: [{ name: ../../x, measures: [7, null, { name: [] }], joins: 3, dimensions: { a: 1 } }]',
    ],
    ['cube', 'cube/a.js', "cube('../../x', { measures: 7, dimensions: [null], joins: { a: null } })"],
    [
      'metabase',
      'metabase/collections/a.yaml',
      'name: ../../x\nserdes/meta: [{ model: Card }]\ndataset_query: { stages: 7 }\n',
    ],
  ])('%s with strange values in %s is compiled inside its folder', async (key, path, text) => {
    desk.write(path, text)
    desk.configure({ name: 'shop', databases: [SHOP], [key]: { path: key } })
    const report = await desk.sync()
    expect(report.failures).toEqual([])
    expect(written()).toHaveLength(2)
    expect(Object.keys(desk.files()).filter((file) => file.startsWith(`docs/${key}/${key}/`))).toHaveLength(1)
    expect([desk.exists('../x.md'), desk.exists('docs/x.md')]).toEqual([false, false])
  })

  test.each([
    ['dbt', 'models/a.yml', 'metrics: '],
    ['looker', 'a.view.lkml', 'view: a { label: "'],
    ['cube', 'a.js', "cube('a', { b: `"],
    ['metabase', 'collections/a.yaml', 'name: "'],
  ])('%s: endless files are named, and the others are compiled', async (key, path, start) => {
    desk.write(`${key}/${path}`, `${start}${'{['.repeat(400_000)}`)
    desk.write(`${key}/large${path.slice(path.lastIndexOf('.'))}`, 'x'.repeat(2_000_000))
    desk.configure({ name: 'shop', databases: [SHOP], [key]: { path: key } })
    const report = await desk.sync()
    expect(written()).toHaveLength(2)
    expect(report.failures.length + report.skipped.length).toBeGreaterThan(0)
  })

  test('a folder deeper than the limit fails as a whole, so that nothing is removed', async () => {
    desk.write('looker/a.view.lkml', 'view: a {}')
    desk.configure({ name: 'shop', looker: { path: 'looker' } })
    await desk.sync()
    desk.write(`looker/${'a/'.repeat(30)}b.view.lkml`, 'view: b {}')
    expect((await desk.sync()).failures[0]?.message).toContain('20 folders deep')
    expect(desk.exists('docs/looker/looker/views/a.md')).toBe(true)
  })

  test('a dbt manifest of many models and tests is read once', async () => {
    const count = 20_000
    const nodes = Object.fromEntries(
      Array.from({ length: count }, (_, i) => [
        [`m${i}`, { unique_id: `m${i}`, resource_type: 'model', name: `m${i}`, depends_on: { nodes: [`m${i + 1}`] } }],
        [`t${i}`, { unique_id: `t${i}`, resource_type: 'test', name: `t${i}`, depends_on: { nodes: [`m${i}`] } }],
      ]).flat() as [string, object][],
    )
    const { readDbtManifest } = await import('../../src/context/domain/sources/dbt-manifest.ts')
    const read = readDbtManifest({ nodes })!
    expect(read.pages).toHaveLength(count)
    expect(read.pages[5]!.text).toContain('Used by: m4')
    expect(read.pages[5]!.text).toContain('- t5')
  })

  test.each([
    ['no JSON', () => '<html>login</html>'],
    [
      'a list that goes on for ever',
      ({ n }: { n: number }) => ({
        results: [{ id: String(n), object: 'page' }],
        has_more: true,
        next_cursor: String(n),
      }),
    ],
    ['a list that leads back', () => ({ results: [], has_more: true, next_cursor: 'again' })],
    ['other kinds of values', () => ({ results: 'many', has_more: false })],
    ['pages of other kinds', () => ({ results: [null, 7, { id: 'a' }], has_more: false })],
    ['nothing', () => 'null'],
  ])(
    'a Notion server that answers with %s does not affect the others',
    async (_name, answer) => {
      let n = 0
      server = await serveWeb(() => ({ body: answer({ n: n++ }), headers: { 'content-type': 'application/json' } }))
      desk.configure({ name: 'shop', databases: [SHOP], notion: { url: server.url, token: '${NOTION_TOKEN}' } })
      await desk.sync()
      expect(written()).toHaveLength(2)
      expect(n).toBeLessThan(1_200)
    },
    60_000,
  )

  test('a Notion page with endlessly nested blocks fails, and the others continue', async () => {
    let n = 0
    server = await serveWeb(({ path }) => ({
      body:
        path === '/v1/search'
          ? { results: [{ id: 'p', object: 'page', last_edited_time: '1' }], has_more: false }
          : { results: [{ id: `b${n++}`, type: 'toggle', has_children: true }], has_more: false },
    }))
    desk.configure({ name: 'shop', databases: [SHOP], notion: { url: server.url, token: '${NOTION_TOKEN}' } })
    const report = await desk.sync()
    expect(report.failures).toMatchObject([{ source: 'notion', message: expect.stringContaining('nested') }])
    expect(written()).toHaveLength(2)
  })

  test('a Confluence list that loops does not affect the other sources', async () => {
    server = await serveWeb(() => ({
      body: { results: [{ id: '1', key: 'A', title: 'x' }], _links: { next: '/wiki/api/v2/spaces?cursor=1' } },
    }))
    desk.configure({
      name: 'shop',
      databases: [SHOP],
      confluence: { url: `${server.url}/wiki`, token: '${CONFLUENCE_TOKEN}', spaces: ['A'] },
    })
    expect((await desk.sync()).failures).toMatchObject([
      { source: 'confluence', message: expect.stringContaining('endless list') },
    ])
    expect(written()).toHaveLength(2)
  })

  test('a page that unpacks to more than ten megabytes is not read to its end', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'))
    const { createServer } = await import('node:http')
    const http = createServer(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(bomb),
    )
    await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready))
    desk.configure({
      name: 'shop',
      databases: [SHOP],
      docs: [{ name: 'page', url: `http://127.0.0.1:${(http.address() as { port: number }).port}/x` }],
    })
    expect((await desk.sync()).failures).toMatchObject([
      { source: 'docs/page', message: expect.stringContaining('larger than 10 MB') },
    ])
    expect(written()).toHaveLength(2)
    http.closeAllConnections()
    http.close()
  })

  test('a repository that is too large is not fetched completely, and no part of it is kept', async () => {
    const repository = desk.path('../large')
    mkdirSync(repository)
    const git = (...words: string[]) =>
      execFileSync('git', ['-C', repository, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words])
    git('init', '-q')
    writeFileSync(`${repository}/noise.bin`, randomBytes(20_000_000))
    git('add', '.')
    git('commit', '-qm', 'large')
    const clone = desk.path('../clone')
    const source = openGitSource({
      url: repository,
      branch: undefined,
      clone,
      largest: 1_000_000,
      target: 'repos/x',
      include: [],
      exclude: [],
    })
    await expect(source.list()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The repository is larger than 1 MB.',
    })
    expect(desk.exists('../clone')).toBe(false)
  })
})

describe('a hand-written file', () => {
  const laughs = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefghij'.split('').map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghi'[i]}`).join(',')}]`),
  ].join('\n')

  test.each([
    ['aliases of aliases', `${laughs}\nname: x`],
    ['deep lists', `name: ${'['.repeat(60_000)}`],
    [
      'deep maps',
      Array.from({ length: 20_000 }, (_, i) => `${' '.repeat(Math.min(i, 5_000))}a:`)
        .join('\n')
        .slice(0, 60_000),
    ],
    ['ten megabytes', `name: ${'x'.repeat(10_000_000)}`],
  ])('ken.yaml with %s is refused with a clear line', async (_name, text) => {
    desk.write('ken.yaml', text)
    await expect(desk.sync()).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^ken\.yaml: /),
    })
  })

  test.each([
    ['aliases of aliases', laughs],
    ['a megabyte', `metrics:\n${'- name: x\n'.repeat(100_000)}`],
  ])('semantics with %s are reported, and the sources are compiled', async (_name, text) => {
    desk.configure({ name: 'shop', databases: [SHOP] })
    desk.write('semantics/x.yaml', text)
    await desk.sync()
    expect(written()).toHaveLength(2)
  })

  test('a template that is too large or never ends does not affect the others', async () => {
    desk.configure({ name: 'shop', databases: [SHOP] })
    desk.write('large.md.liquid', '{{ x }}'.repeat(1_000_000))
    desk.write(
      'endless.md.liquid',
      '{% for i in (1..100000000) %}{% for j in (1..100000000) %}x{% endfor %}{% endfor %}',
    )
    const { failures } = await desk.sync()
    expect(failures.map(({ item }) => item).toSorted()).toEqual(['endless.md.liquid', 'large.md.liquid'])
    expect(written()).toHaveLength(2)
  })

  test('patterns with excessive backtracking finish at once', async () => {
    desk.configure({
      name: 'shop',
      databases: [{ ...SHOP, exclude: [`${'*o'.repeat(100)}x`] }],
      docs: [{ name: 'notes', path: 'notes', include: [`${'*a'.repeat(100)}b`] }],
    })
    desk.write(`notes/${'a'.repeat(200)}.md`, 'x')
    desk.write('notes/.gitignore', `${'*a'.repeat(30)}b\n`)
    expect((await desk.sync()).failures).toEqual([])
    expect(written()).toHaveLength(2)
  })
})

test('an archive entry that claims to be larger than any model is refused before memory is allocated', async () => {
  const header = Buffer.alloc(512)
  header.write('package/model.onnx')
  header.write('77777777777', 124)
  header.write('0', 156)
  const entries = tarEntries(
    (async function* () {
      yield header
    })(),
    () => true,
  )
  await expect(entries.next()).rejects.toThrow('larger than any model')
})
