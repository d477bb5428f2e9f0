import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'
import { serveWeb, type WebServer } from './web-server.ts'

let desk: ContextDesk
let web: WebServer | undefined
beforeEach(() => {
  desk = openContextDesk({ TOKEN: 'integration-token-1234' })
})
afterEach(async () => {
  await web?.close()
  web = undefined
  await desk.close()
})

describe('git repositories', () => {
  const git = (folder: string, ...words: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      encoding: 'utf8',
    })
  let origin: string
  beforeEach(() => {
    origin = desk.path('../origin')
    mkdirSync(join(origin, 'src'), { recursive: true })
    writeFileSync(join(origin, 'README.md'), '# Web\n')
    writeFileSync(join(origin, 'src/app.ts'), 'export const app = 1\n')
    writeFileSync(join(origin, 'src/app.test.ts'), 'test\n')
    writeFileSync(join(origin, 'logo.png'), Buffer.from([0x89, 0x50, 0, 0, 0]))
    writeFileSync(join(origin, '.env'), 'A=1\n')
    writeFileSync(join(origin, 'page.md.liquid'), '{{ project.name }}')
    symlinkSync('/etc/passwd', join(origin, 'link.txt'))
    git(origin, 'init', '-q', '-b', 'main')
    git(origin, 'add', '-A')
    git(origin, 'commit', '-qm', 'one')
    desk.configure({
      name: 'shop',
      repositories: [{ name: 'web', url: origin, branch: 'main', exclude: ['*.test.ts'] }],
    })
  })

  test('the text files of a branch are copied, without .git, links, binaries, secrets and excluded files', async () => {
    const output = await desk.sync()
    expect(output.failures).toEqual([])
    expect(
      Object.keys(desk.files())
        .filter((path) => path.startsWith('repos/'))
        .sort(),
    ).toEqual(['repos/web/README.md', 'repos/web/page.md.liquid', 'repos/web/src/app.ts'])
    expect(desk.read('repos/web/src/app.ts')).toBe('export const app = 1\n')
    expect(output.skipped).toMatchObject([{ item: '.env' }])
  })

  test('a commit that changes one file touches one file, and a deleted file is removed', async () => {
    await desk.sync()
    const before = desk.times()
    writeFileSync(join(origin, 'src/app.ts'), 'export const app = 2\n')
    rmSync(join(origin, 'README.md'))
    git(origin, 'commit', '-qam', 'two')
    const output = await desk.sync()
    expect(output.due).toEqual([{ source: 'repository/web', item: 'src/app.ts', reason: 'changed' }])
    expect(desk.exists('repos/web/README.md')).toBe(false)
    expect(desk.read('repos/web/src/app.ts')).toContain('2')
    expect(desk.times()['repos/web/page.md.liquid']).toBe(before['repos/web/page.md.liquid'])
  })

  test('a missing repository keeps its copied files and fails the run', async () => {
    await desk.sync()
    rmSync(origin, { recursive: true })
    const output = await desk.sync()
    expect(syncSources.exit(output)).toBe(1)
    expect(desk.read('repos/web/README.md')).toBe('# Web\n')
  })

  test('a template inside a repository is copied and never run', async () => {
    await desk.sync()
    expect(desk.read('repos/web/page.md.liquid')).toBe('{{ project.name }}')
    expect(desk.exists('repos/web/page.md')).toBe(false)
  })
})

test('a folder source respects .gitignore, include and exclude, and picks up edits', async () => {
  desk.write('../handbook/guide.md', '# Guide\n')
  desk.write('../handbook/deep/notes.md', '# Notes\n')
  desk.write('../handbook/deep/data.csv', 'a,b\n')
  desk.write('../handbook/.gitignore', 'drafts/\n')
  desk.write('../handbook/drafts/x.md', 'draft')
  desk.write('../handbook/.git/config', 'x')
  desk.configure({ name: 'shop', docs: [{ name: 'handbook', path: '../handbook', include: ['*.md'] }] })
  await desk.sync()
  const copied = () =>
    Object.keys(desk.files())
      .filter((path) => path.startsWith('docs/'))
      .sort()
  expect(copied()).toEqual(['docs/handbook/deep/notes.md', 'docs/handbook/guide.md'])
  desk.write('../handbook/guide.md', '# Guide, second edition\n')
  rmSync(desk.path('../handbook/deep'), { recursive: true })
  await desk.sync()
  expect(copied()).toEqual(['docs/handbook/guide.md'])
  expect(desk.read('docs/handbook/guide.md')).toContain('second edition')
})

test('a dbt project becomes documents of its models, tests, lineage and metrics', async () => {
  const model = (name: string, more: object = {}) => ({
    unique_id: `model.shop.${name}`,
    resource_type: 'model',
    name,
    schema: 'mart',
    description: `About ${name}.`,
    raw_code: `select * from ${name}_raw`,
    columns: { id: { name: 'id', description: 'The key.', data_type: 'int' } },
    config: { materialized: 'table' },
    depends_on: { nodes: [] },
    ...more,
  })
  const manifest = {
    nodes: {
      a: model('stg_orders'),
      b: model('orders', { depends_on: { nodes: ['model.shop.stg_orders'] } }),
      t: {
        unique_id: 'test.shop.unique_orders_id',
        resource_type: 'test',
        name: 'unique_orders_id',
        attached_node: 'model.shop.orders',
        column_name: 'id',
        test_metadata: { name: 'unique' },
        depends_on: { nodes: ['model.shop.orders'] },
      },
      bad: { name: 1 },
    },
    metrics: {
      m: {
        unique_id: 'metric.shop.revenue',
        name: 'revenue',
        label: 'Revenue',
        type: 'simple',
        type_params: { measure: { name: 'total' } },
      },
    },
  }
  desk.write('../dbt/target/manifest.json', JSON.stringify(manifest))
  desk.configure({ name: 'shop', dbt: { path: '../dbt' } })
  const output = await desk.sync()
  expect(output.skipped).toMatchObject([{ message: '1 entries cannot be read' }])
  const orders = desk.read('docs/dbt/dbt/models/orders.md')
  expect(orders).toContain('| id | int | unique | The key. |')
  expect(orders).toContain('Made from: stg_orders')
  expect(desk.read('docs/dbt/dbt/models/stg_orders.md')).toContain('Used by: orders')
  expect(desk.read('docs/dbt/dbt/metrics/revenue.md')).toContain('# Revenue')
  rmSync(desk.path('../dbt/target'), { recursive: true })
  expect((await desk.sync()).failures).toMatchObject([{ message: expect.stringContaining('dbt parse') }])
})

test('a dbt project without a manifest is read from its YAML', async () => {
  desk.sqlite(
    'shop.db',
    'CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT)',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, status TEXT, kind TEXT)',
    "INSERT INTO orders VALUES (1, 1, 'paid', 'web'), (2, 1, 'open', 'shop')",
  )
  desk.write('../dbt/dbt_project.yml', 'name: shop\nmodels:\n  shop:\n    +materialized: table\n')
  desk.write(
    '../dbt/models/marts/orders.yml',
    `models:
  - name: orders
    description: One row per order.
    data_tests:
      - dbt_utils.unique_combination_of_columns: { combination_of_columns: [id, status] }
    columns:
      - name: id
        data_type: int
        data_tests: [unique, not_null]
      - name: status
        description: "{{ doc('order_status') }}"
        tests:
          - accepted_values: { values: [open, paid, returned] }
      - name: customer_id
        description: Who bought.
        tests:
          - relationships: { to: ref('customers'), field: id }
      - name: kind
        description: "{{ doc('gone') }}"
        data_tests:
          - accepted_values:
              arguments: { values: [web, shop, phone] }
  - description: without a name
`,
  )
  desk.write('../dbt/models/docs.md', '{% docs order_status %}\nWhere the order stands.\n{% enddocs %}\n')
  desk.write(
    '../dbt/models/sources.yml',
    `sources:
  - name: crm
    schema: main
    tables:
      - name: buyers
        identifier: customers
        description: Everyone who ever bought.
        columns: [{ name: email, description: Lower case. }]
  - name: computed
    schema: "{{ var('raw') }}"
    tables: [{ name: events }]
`,
  )
  desk.write('../dbt/models/broken.yml', 'models: [{ name: x')
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db' }],
    dbt: { path: '../dbt' },
  })
  const { skipped, failures } = await desk.sync()
  expect(failures).toEqual([])
  expect(skipped.map(({ message }: { message: string }) => message)).toEqual([
    'it is not YAML (line 1)',
    expect.stringContaining('no SQL, schema and lineage'),
  ])
  const orders = desk.read('docs/dbt/dbt/models/orders.md')
  expect(orders).toContain('A dbt model.\n\nOne row per order.')
  expect(orders).toContain('| id | int | unique, not_null |  |')
  expect(orders).toContain('| status |  | accepted_values | Where the order stands. |')
  expect(orders).toContain('| customer_id |  | relationships to customers.id | Who bought. |')
  expect(orders).toContain('- unique_combination_of_columns')
  expect(orders).not.toContain('doc(')
  expect(desk.read('docs/dbt/dbt/sources/buyers.md')).toContain('A dbt source, in main.buyers.')
  const columns = desk.read('databases/type=sqlite/database=shop/schema=main/table=orders/columns.md')
  expect(columns).toContain('> One row per order.')
  expect(columns).toMatch(/`returned` 0/)
  expect(columns).toMatch(/`phone` 0/)
  expect(desk.read('databases/type=sqlite/database=shop/schema=main/table=customers/columns.md')).toContain(
    '> Everyone who ever bought.',
  )
})

describe('Notion', () => {
  const id = (n: number) => `${String(n).repeat(8)}-0000-4000-8000-000000000000`
  const text = (plain_text: string, more: object = {}) => [{ plain_text, href: null, annotations: {}, ...more }]
  const page = (n: number, title: string, parent: object, edited = '2026-01-01T00:00:00.000Z') => ({
    object: 'page',
    id: id(n),
    last_edited_time: edited,
    archived: false,
    url: `https://notion.example/${n}`,
    parent,
    properties: { Name: { id: 'title', type: 'title', title: text(title) } },
  })
  const root = { type: 'workspace', workspace: true }
  let pages: object[]
  let blocks: Record<string, object[]>
  let failing: string | undefined

  beforeEach(async () => {
    pages = [
      page(1, 'Handbook', root),
      page(2, 'Refunds', { type: 'page_id', page_id: id(1) }),
      page(3, 'Refunds', { type: 'block_id', block_id: id(8) }),
      page(4, 'Private', root),
      {
        ...page(5, 'Plans', { type: 'page_id', page_id: id(1) }),
        object: 'database',
        title: text('Plans'),
        properties: { Price: { type: 'number' }, Name: { type: 'title' } },
      },
    ]
    blocks = {
      [id(1)]: [
        { id: 'a', type: 'heading_1', heading_1: { rich_text: text('Welcome') } },
        {
          id: 'b',
          type: 'paragraph',
          paragraph: {
            rich_text: [
              ...text('Read '),
              ...text('this', { annotations: { bold: true }, href: 'https://example.com' }),
            ],
          },
        },
        { id: 'c', type: 'numbered_list_item', has_children: true, numbered_list_item: { rich_text: text('one') } },
        { id: 'd', type: 'numbered_list_item', numbered_list_item: { rich_text: text('two') } },
        { id: 'e', type: 'table', has_children: true, table: { table_width: 2 } },
        { id: id(2), type: 'child_page', has_children: true, child_page: { title: 'Refunds' } },
        { id: 'f', type: 'code', code: { language: 'sql', rich_text: text('select 1') } },
        { id: 'g', type: 'link_to_page', link_to_page: { type: 'page_id', page_id: id(2) } },
      ],
      c: [{ id: 'c1', type: 'bulleted_list_item', bulleted_list_item: { rich_text: text('inside') } }],
      e: [
        { id: 'r1', type: 'table_row', table_row: { cells: [text('plan'), text('price')] } },
        { id: 'r2', type: 'table_row', table_row: { cells: [text('basic'), text('5|6')] } },
      ],
    }
    failing = undefined
    web = await serveWeb(({ method, path, headers, query, body }) => {
      if (headers.authorization !== 'Bearer integration-token-1234') return { status: 401, body: {} }
      if (method === 'POST' && path === '/v1/search') {
        const at = Number(body.start_cursor ?? 0)
        return {
          body: { results: pages.slice(at, at + 2), has_more: at + 2 < pages.length, next_cursor: String(at + 2) },
        }
      }
      if (path === `/v1/databases/${id(5)}/query`)
        return {
          body: {
            results: [
              {
                ...page(6, 'Basic', { type: 'database_id', database_id: id(5) }),
                properties: { Name: { type: 'title', title: text('Basic') }, Price: { type: 'number', number: 5 } },
              },
            ],
            has_more: false,
          },
        }
      const block = /^\/v1\/blocks\/([^/]+)(\/children)?$/.exec(path)
      if (block?.[1] === failing) return { status: 400, body: {} }
      if (block?.[2] !== undefined) {
        const all = blocks[block[1]!] ?? []
        const at = Number(query.get('start_cursor') ?? 0)
        return { body: { results: all.slice(at, at + 3), has_more: at + 3 < all.length, next_cursor: String(at + 3) } }
      }
      return block === null ? undefined : { body: { id: block[1], parent: { type: 'page_id', page_id: id(1) } } }
    })
    desk.configure({
      name: 'shop',
      notion: {
        token: '${TOKEN}',
        pages: [`https://www.notion.so/Handbook-${id(1).replaceAll('-', '')}?pvs=4`],
        url: web.url,
      },
    })
  })

  const documents = () =>
    Object.keys(desk.files())
      .filter((path) => path.startsWith('docs/notion/'))
      .sort()

  test('a page, its children and its databases become Markdown; two with the same title get a file each', async () => {
    const output = await desk.sync()
    expect(output.failures).toEqual([])
    expect(documents()).toHaveLength(4)
    expect(documents().filter((path) => /\/refunds~[0-9a-f]{8}\.md$/.test(path))).toHaveLength(2)
    const handbook = desk.read('docs/notion/handbook.md')
    expect(handbook).toContain('# Handbook')
    expect(handbook).toContain(
      '## Welcome\n\nRead [**this**](https://example.com)\n\n1. one\n   - inside\n2. two\n\n| plan | price |\n| --- | --- |\n| basic | 5\\|6 |\n\n[[Refunds]]\n\n```sql\nselect 1\n```\n\n[[Refunds]]\n',
    )
    expect(desk.read('docs/notion/plans.md')).toContain('| Name | Price |\n| --- | --- |\n| Basic | 5 |')
    expect(JSON.stringify(desk.files())).not.toContain('integration-token-1234')
  })

  test('an unedited page is not fetched again; a removed one is deleted, a failing one is kept and marked', async () => {
    await desk.sync()
    const asked = web!.requests.length
    await desk.sync()
    expect(web!.requests.slice(asked).filter((request) => request.includes('/children'))).toEqual([])
    pages[0] = page(1, 'Handbook', root, '2026-02-02T00:00:00.000Z')
    pages.splice(4, 1)
    failing = id(1)
    const output = await desk.sync()
    expect(output.failures).toMatchObject([{ source: 'notion', item: 'Handbook' }])
    expect(desk.read('docs/notion/handbook.md')).toContain('stale_since')
    expect(desk.read('docs/notion/handbook.md')).toContain('## Welcome')
    expect(desk.exists('docs/notion/plans.md')).toBe(false)
    failing = undefined
    await desk.sync()
    expect(desk.read('docs/notion/handbook.md')).not.toContain('stale')
  })

  test('a changed title moves the file', async () => {
    await desk.sync()
    pages[0] = page(1, 'Manual', root, '2026-02-02T00:00:00.000Z')
    await desk.sync()
    expect(desk.exists('docs/notion/handbook.md')).toBe(false)
    expect(desk.read('docs/notion/manual.md')).toContain('# Manual')
  })

  test('a wrong token is reported without showing it', async () => {
    desk.write('.env', 'OTHER_TOKEN=wrong-token-in-the-file\n')
    desk.configure({ name: 'shop', notion: { token: '${OTHER_TOKEN}', url: web!.url } })
    const output = await desk.sync()
    expect(output.failures[0]?.message).toContain('answered 401')
    expect(JSON.stringify(output)).not.toContain('wrong-token-in-the-file')
  })
})

test('Confluence spaces become Markdown, by version, over several pages of the list', async () => {
  const storage =
    '<h2>Terms</h2><p>See <ac:link><ri:page ri:content-title="Refunds" /></ac:link> &amp; <strong>pay</strong>.</p><ac:structured-macro ac:name="code"><ac:parameter ac:name="language">sql</ac:parameter><ac:plain-text-body><![CDATA[select a < b]]></ac:plain-text-body></ac:structured-macro><table><tbody><tr><th>plan</th><th>price</th></tr><tr><td><p>basic</p></td><td>5</td></tr></tbody></table><ul><li>one<ul><li>two</li></ul></li></ul><ac:structured-macro ac:name="info"><ac:rich-text-body><p>Mind this.</p></ac:rich-text-body></ac:structured-macro>'
  let version = 1
  let busy = true
  web = await serveWeb(({ path, query, headers }) => {
    if (headers.authorization !== `Basic ${Buffer.from('me@example.com:integration-token-1234').toString('base64')}`)
      return { status: 401, body: {} }
    if (path === '/wiki/api/v2/spaces') return { body: { results: [{ id: '7', key: 'OPS' }] } }
    if (path === '/wiki/api/v2/spaces/7/pages' && busy) {
      busy = false
      return { status: 429, headers: { 'retry-after': '0' }, body: {} }
    }
    if (path === '/wiki/api/v2/spaces/7/pages')
      return query.has('cursor')
        ? { body: { results: [{ id: '2', title: 'Refunds', version: { number: 1 } }] } }
        : {
            body: {
              results: [{ id: '1', title: 'Billing', version: { number: version } }],
              _links: { next: '/wiki/api/v2/spaces/7/pages?cursor=x' },
            },
          }
    const page = /^\/wiki\/api\/v2\/pages\/(\d)$/.exec(path)?.[1]
    return page === undefined
      ? undefined
      : {
          body: {
            id: page,
            title: page === '1' ? 'Billing' : 'Refunds',
            _links: { webui: '/spaces/OPS/pages/1' },
            body: { storage: { value: page === '1' ? storage : '<p>None.</p>' } },
          },
        }
  })
  desk.configure({
    name: 'shop',
    confluence: { url: `${web.url}/wiki`, email: 'me@example.com', token: '${TOKEN}', spaces: ['OPS'] },
  })
  expect((await desk.sync()).failures).toEqual([])
  const billing = desk.read('docs/confluence/OPS/billing.md')
  expect(billing).toContain(
    '## Terms\n\nSee [[Refunds]] & **pay**.\n\n```sql\nselect a < b\n```\n\n| plan | price |\n| --- | --- |\n| basic | 5 |\n\n- one\n  - two\n\n> **info**\n>\n> Mind this.\n',
  )
  version = 2
  expect((await desk.sync()).due).toEqual([{ source: 'confluence', item: 'Billing', reason: 'changed' }])
})

test('an llms.txt includes only pages of its own host, even after a redirect', async () => {
  let elsewhere = 0
  const other = await serveWeb(() => {
    elsewhere++
    return { body: 'secret' }
  })
  web = await serveWeb(({ path }) => {
    if (path === '/llms.txt')
      return {
        headers: { 'content-type': 'text/plain' },
        body: `# Docs\n- [Start](/start.html)\n- [Raw](raw.md)\n- [Away](${other.url}/x)\n- [Jump](/jump)\n`,
      }
    if (path === '/start.html')
      return {
        headers: { etag: '"1"' },
        body: '<html><head><title>Getting started</title><script>alert("x")</script></head><body><nav>menu</nav><main><h1>Start</h1><p>Hello<br>there</p></main></body></html>',
      }
    if (path === '/raw.md')
      return { headers: { 'content-type': 'text/markdown', etag: '"1"' }, body: '# Raw\n\nAs it is.\n' }
    if (path === '/jump') return { status: 302, headers: { location: `${other.url}/x` }, body: '' }
    return undefined
  })
  desk.configure({ name: 'shop', docs: [{ name: 'site', url: `${web.url}/llms.txt` }] })
  const output = await desk.sync()
  await other.close()
  expect(elsewhere).toBe(0)
  expect(output.skipped).toMatchObject([{ message: 'it lies on another host' }])
  expect(output.failures).toMatchObject([
    { item: 'Jump', message: expect.stringContaining('not a host that ken.yaml names') },
  ])
  expect(desk.read('docs/site/start.md')).toMatch(/# Start\n\nHello\nthere\n$/)
  expect(desk.read('docs/site/start.md')).not.toMatch(/alert|menu/)
  expect(desk.read('docs/site/raw.md')).toContain('As it is.')
  const again = await desk.sync()
  expect(again.due.map(({ item }) => item)).toEqual(['Jump'])
}, 60_000)
