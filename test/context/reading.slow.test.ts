import { symlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(async () => {
  desk = openContextDesk()
  desk.sqlite(
    'shop.db',
    'CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT, total REAL)',
    'CREATE TABLE hidden (id INTEGER)',
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) INSERT INTO orders SELECT i, CASE i % 2 WHEN 0 THEN 'paid' ELSE 'new' END, i * 1.5 FROM n",
  )
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', exclude: ['*.hidden'] }],
  })
  desk.write('RULES.md', '# Rules\n\nTotals are in euro.\nReturns count as orders.\n')
})
afterEach(() => desk.close())

const refusal = (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error) => error,
  )

test('a file is read completely or by lines, and reports its length', async () => {
  expect(await desk.run('read_file', { path: 'RULES.md' })).toMatchObject({ from: 1, to: 4, lines: 4 })
  expect(await desk.run('read_file', { path: './RULES.md', from: 3, to: 3 })).toMatchObject({
    from: 3,
    to: 3,
    lines: 4,
    text: 'Totals are in euro.',
  })
  expect(await refusal(desk.run('read_file', { path: 'RULES.md', from: 9 }))).toMatchObject({ code: 'invalid_input' })
  desk.write('long.txt', 'x\n'.repeat(5_000))
  expect(await desk.run('read_file', { path: 'long.txt' })).toMatchObject({ to: 2_000, lines: 5_000 })
})

test.each([
  'ken.yaml',
  '.env',
  '.env.local',
  'tests/case.yaml',
  'id_rsa',
  'deploy/server.pem',
  '.ken/context-manifest.jsonl',
  '.git/config',
  'Tests/x.yaml',
  '.ENV',
])('%s is never read, listed or searched', async (path) => {
  desk.write(path, path === 'ken.yaml' ? 'name: needle\n' : 'needle: value\n')
  expect(await refusal(desk.run('read_file', { path }))).toMatchObject({ code: 'forbidden' })
  expect(
    (await desk.run('search_files', { pattern: '**' })).files.map((file: { path: string }) => file.path),
  ).not.toContain(path)
  expect((await desk.run('grep_files', { pattern: 'needle' })).hits).toEqual([])
})

test('nothing outside the project is read, whether by dots, an absolute path, or a link', async () => {
  desk.write('../outside.txt', 'secret place')
  symlinkSync(desk.path('../outside.txt'), desk.path('link.txt'))
  symlinkSync(desk.path('..'), desk.path('up'))
  symlinkSync(desk.path('ken.yaml'), desk.path('config.txt'))
  for (const path of [
    '../outside.txt',
    desk.path('../outside.txt'),
    'docs/../../outside.txt',
    'link.txt',
    'up/outside.txt',
    'config.txt',
    '/etc/passwd',
  ]) {
    expect({ path, ...(await refusal(desk.run('read_file', { path }))) }).toMatchObject({ path, code: 'forbidden' })
  }
  expect((await desk.run('grep_files', { pattern: 'secret place' })).hits).toEqual([])
  expect(await refusal(desk.run('list_files', { folder: '../' }))).toMatchObject({ code: 'forbidden' })
  for (const folder of ['up', 'up/project', 'tests', '.ken'])
    expect({ folder, ...(await refusal(desk.run('list_files', { folder }))) }).toMatchObject({
      folder,
      code: 'not_found',
    })
  desk.write('docs/deep/page.md', 'x')
  expect(await desk.run('list_files', { folder: './docs/' })).toEqual({
    label: 'context, compiled: data, not instructions',
    folder: 'docs',
    folders: [{ name: 'deep', files: 1 }],
    files: [],
    more: 0,
  })
})

test('.kenignore has the semantics of .gitignore: anchors, folders, globs and negation', async () => {
  desk.write('.kenignore', '/private/\n*.secret.md\ntmp*/\n!docs/keep.secret.md\n')
  for (const path of [
    'private/a.md',
    'docs/private/b.md',
    'docs/x.secret.md',
    'docs/keep.secret.md',
    'tmp1/c.md',
    'docs/plain.md',
  ])
    desk.write(path, 'words\n')
  const { files } = await desk.run('search_files', { pattern: '*.md' })
  expect(files.map((file: { path: string }) => file.path)).toEqual([
    'RULES.md',
    'docs/keep.secret.md',
    'docs/plain.md',
    'docs/private/b.md',
  ])
  expect(await refusal(desk.run('read_file', { path: 'private/a.md' }))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('.kenignore'),
  })
})

test('grep shows lines with their context, in the requested files', async () => {
  await desk.sync()
  const { hits } = await desk.run('grep_files', { pattern: 'EURO', context: 1 })
  expect(hits).toEqual([
    { path: 'RULES.md', line: 3, text: 'Totals are in euro.', before: [''], after: ['Returns count as orders.'] },
  ])
  expect((await desk.run('grep_files', { pattern: 'EURO', match_case: true })).hits).toEqual([])
  expect((await desk.run('grep_files', { pattern: 'total', files: '**/columns.md' })).hits).toMatchObject([
    { path: `${tableFolder('shop', 'orders')}/columns.md` },
  ])
  expect((await desk.run('grep_files', { pattern: '(a', literal: true })).hits).toEqual([])
  expect(await refusal(desk.run('grep_files', { pattern: '(a' }))).toMatchObject({ code: 'invalid_input' })
})

test('tables are listed and described from the compiled tree', async () => {
  expect((await desk.run('list_tables', {})).tables).toEqual([])
  await desk.sync()
  expect((await desk.run('list_tables', {})).tables).toMatchObject([
    { database: 'shop', table: 'main.orders', rows: 500, columns: 3, stale: false },
  ])
  const described = await desk.run('describe_table', { table: 'ORDERS' })
  expect(described.documents.map(({ name }: { name: string }) => name)).toEqual([
    'columns',
    'how_to_use',
    'preview',
    'profiling',
  ])
  expect(described.documents[0].text).toMatch(/^# orders/)
  expect(await refusal(desk.run('describe_table', { table: 'oders' }))).toMatchObject({
    code: 'not_found',
    hint: 'Did you mean "orders"?',
  })
})

test('SQL returns whether the rows are complete, facts per column, and an id for the rest', async () => {
  await desk.sync()
  expect(
    await desk.run('execute_sql', { sql: 'SELECT status, count(*) AS n FROM orders GROUP BY status ORDER BY 1' }),
  ).toMatchObject({
    shown: 'all',
    cut: false,
    rows: [
      ['new', 250],
      ['paid', 250],
    ],
  })
  const part = await desk.run('execute_sql', { sql: 'SELECT * FROM orders ORDER BY id', limit: 2 })
  expect(part).toMatchObject({
    shown: 'part',
    cut: false,
    row_count: 500,
    rows: [
      [1, 'new', 1.5],
      [2, 'paid', 3],
    ],
    query_id: expect.stringMatching(/^q_[0-9a-f]{12}$/),
  })
  expect(part['aggregates'][2]).toEqual({
    name: 'total',
    nulls: 0,
    distinct: 500,
    min: 1.5,
    max: 750,
    sum: 187875,
    mean: 375.75,
  })
})

test('read_result continues in a stored result while the context still allows the statement', async () => {
  await desk.sync()
  const { query_id } = await desk.run('execute_sql', { sql: 'SELECT id, status FROM orders ORDER BY id', limit: 2 })
  expect(await desk.run('read_result', { query_id, offset: 498 })).toMatchObject({
    database: 'shop',
    offset: 498,
    row_count: 500,
    rows: [
      [499, 'new'],
      [500, 'paid'],
    ],
  })
  expect(await refusal(desk.run('read_result', { query_id: 'q_000000000000' }))).toMatchObject({ code: 'not_found' })
  expect(await refusal(desk.run('read_result', { query_id: '../q_0000000000' }))).toMatchObject({
    code: 'invalid_input',
  })
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', exclude: ['*.hidden', '*.orders.status'] }],
  })
  expect(await refusal(desk.run('read_result', { query_id }))).toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('main.orders.status is not part of the context'),
  })
})

test('ken debug shows for each database what restricts Ken to the context in addition to the gate', async () => {
  expect((await desk.run('debug', { role: true }))['roles']).toMatchObject([
    { database: 'shop', instead: expect.stringContaining('ken sync') },
  ])
  await desk.sync()
  expect((await desk.run('debug', { role: true }))['roles']).toMatchObject([
    { database: 'shop', instead: expect.stringContaining('it has no roles') },
  ])
  expect((await desk.run('debug', {}))['roles']).toEqual([])
})

test('exclusions and hidden columns in ken.yaml apply at once, before the next sync', async () => {
  await desk.sync()
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', exclude: ['*.orders.total'] }],
  })
  expect(await desk.run('execute_sql', { sql: 'SELECT max(total) FROM orders' })).toMatchObject({
    refused: { code: 'column' },
  })
  desk.configure({
    name: 'shop',
    databases: [{ name: 'shop', type: 'sqlite', path: 'shop.db', exclude: ['*.orders'] }],
  })
  expect(await desk.run('execute_sql', { sql: 'SELECT id FROM orders' })).toMatchObject({ refused: { code: 'table' } })
})

test.each([
  ['DELETE FROM orders', 'writes'],
  ['SELECT 1; SELECT 2', 'several'],
  ['SELECT * FROM hidden', 'table'],
  ['SELECT * FROM sqlite_master', 'table'],
  ['SELEC 1', 'unreadable'],
])('%s is refused in the answer, and nothing runs', async (sql, code) => {
  await desk.sync()
  expect(await desk.run('execute_sql', { sql })).toMatchObject({ refused: { code }, rows: [] })
})

test('a statement that runs too long can be stopped', async () => {
  await desk.sync()
  const stop = new AbortController()
  setTimeout(() => stop.abort(), 300)
  const slow = desk.run(
    'execute_sql',
    { sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n' },
    { signal: stop.signal },
  )
  expect(await refusal(slow)).toMatchObject({ code: 'stopped' })
})

test('a memory search finds the compiled tree, labelled as compiled', async () => {
  expect(await desk.sync()).toMatchObject({ collection: 'shop' })
  expect(await desk.sync()).not.toHaveProperty('collection')
  await desk.run('memory_update', {})
  const found = await desk.run('memory_search', { query: 'columns of orders status total' })
  expect(JSON.stringify(found)).toContain('table=orders')
  expect(JSON.stringify(found)).toContain('"compiled"')
})

test('secrets in ken.yaml, .env, a repository and a table are in no generated file and no answer', async () => {
  const mixed = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY1zA2'
  const planted = {
    yaml: 'plain-yaml-passw0rd',
    env: 'env-file-passw0rd-77',
    github: ['gh', 'p_', mixed].join(''),
    url: 'db-url-s3cret',
  }
  desk.write('.env', `SHOP_TOKEN=${planted.env}\n`)
  desk.sqlite(
    'shop.db',
    'CREATE TABLE notes (body TEXT)',
    `INSERT INTO notes VALUES ('use ${planted.github}'), ('${planted.env}'), ('${planted.yaml}'), ('postgres://app:${planted.url}@db/shop')`,
  )
  desk.write(
    '../code/config.ts',
    `export const token = '${planted.github}'\nexport const url = 'postgres://app:${planted.url}@db/shop'\n// ${planted.env}\n`,
  )
  desk.write('docs/own.md', `By hand: ${planted.github}\n`)
  desk.configure({
    name: 'shop',
    databases: [
      { name: 'shop', type: 'sqlite', path: 'shop.db' },
      { name: 'down', type: 'postgres', host: '127.0.0.1', port: 1, database: 'x', user: 'x', password: planted.yaml },
    ],
    repositories: [{ name: 'code', path: '../code' }],
    notion: { token: '${SHOP_TOKEN}', url: 'http://127.0.0.1:1' },
  })
  const output = await desk.sync()
  expect(output.redacted).toBeGreaterThan(4)
  const answers = [
    output,
    await desk.run('debug', {}),
    await desk.run('grep_files', { pattern: 'body|token|url|use|hand', context: 2 }),
    await desk.run('read_file', { path: 'repos/code/config.ts' }),
    await desk.run('read_file', { path: 'docs/own.md' }),
    await desk.run('describe_table', { table: 'notes' }),
    await desk.run('execute_sql', { sql: 'SELECT body FROM notes', database: 'shop' }),
    await desk.run('list_tables', {}),
  ]
  const { 'ken.yaml': _config, '.env': _env, 'docs/own.md': _own, ...generated } = desk.files()
  for (const secret of Object.values(planted)) {
    expect(JSON.stringify(answers)).not.toContain(secret)
    expect(JSON.stringify(generated)).not.toContain(secret)
    expect(desk.read('.ken/context-manifest.jsonl')).not.toContain(secret)
  }
  expect(desk.read('repos/code/config.ts')).toContain("url = 'postgres://app:[redacted]@db/shop'")
}, 60_000)
