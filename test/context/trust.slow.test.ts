import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { syncSources } from '../../src/context/operations/sync-sources.ts'
import { trust } from '../../src/context/operations/trust.ts'
import { openContextDesk, tableFolder, type ContextDesk } from './context-desk.ts'
import { serveWeb, type WebServer } from './web-server.ts'

let desk: ContextDesk
let web: WebServer
beforeEach(async () => {
  desk = openContextDesk({ CRM_PASSWORD: 'the-users-own-password' }, { trusted: false })
  web = await serveWeb(() => ({ body: '# A page\n' }))
  desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER)', 'INSERT INTO orders VALUES (1), (2)')
  desk.sqlite('../outside.db', 'CREATE TABLE secrets (id INTEGER)')
  desk.write('handbook/guide.md', '# Guide\n')
  desk.write('../private/diary.md', '# Diary\n')
})
afterEach(async () => {
  await web.close()
  await desk.close()
})

const shop = { name: 'shop', type: 'sqlite', path: 'shop.db' }
const refusal = (work: Promise<unknown>): Promise<{ code: string; message: string; hint: string }> =>
  work.then(
    () => ({ code: 'none', message: '', hint: '' }),
    (error) => error,
  )
const trustIt = (input: object = {}) => desk.run('trust', { yes: true, ...input })
const failuresOf = async () =>
  Object.fromEntries((await desk.sync()).failures.map(({ source, message }) => [source, message]))

describe('a project from a clone', () => {
  test('opens only files inside itself; each refusal names the entry, its effect and the command', async () => {
    desk.write('../private/target/manifest.json', '{}')
    desk.configure({
      name: 'shop',
      databases: [
        shop,
        { name: 'far', type: 'sqlite', path: '../outside.db' },
        {
          name: 'crm',
          type: 'postgres',
          host: '127.0.0.1',
          port: 1,
          database: 'crm',
          user: 'app',
          password: '${CRM_PASSWORD}',
        },
        { name: 'cloud', type: 'duckdb', path: 'md:shop' },
      ],
      repositories: [{ name: 'web', url: 'git@127.0.0.1:a/web.git' }],
      docs: [
        { name: 'handbook', path: 'handbook' },
        { name: 'diary', path: '../private' },
        { name: 'site', url: `${web.url}/page` },
      ],
      notion: { token: '${CRM_PASSWORD}', url: web.url },
      confluence: { url: web.url, token: '${CRM_PASSWORD}', spaces: ['OPS'] },
      dbt: { path: '../private' },
    })
    const output = await desk.sync()
    expect(syncSources.exit(output)).toBe(1)
    expect(desk.exists(`${tableFolder('shop', 'orders')}/columns.md`)).toBe(true)
    expect(desk.exists('docs/handbook/guide.md')).toBe(true)
    const told = Object.fromEntries(output.failures.map(({ source, message }) => [source, message]))
    const allow = `Review it and allow it with \`ken trust ${desk.root}\`.`
    const outside = desk.path('..')
    expect(told).toEqual({
      'database/far': `database/far is not trusted yet; it would read ${outside}/outside.db. ${allow}`,
      'database/crm': `database/crm is not trusted yet; it would use a postgres database, database crm, host 127.0.0.1, port 1, user app, take CRM_PASSWORD from the environment. ${allow}`,
      'database/cloud': `database/cloud is not trusted yet; it would read md:shop. ${allow}`,
      'repository/web': `repository/web is not trusted yet; it would fetch git@127.0.0.1:a/web.git with git. ${allow}`,
      'docs/diary': `docs/diary is not trusted yet; it would read ${outside}/private. ${allow}`,
      'docs/site': `docs/site is not trusted yet; it would fetch ${web.url}/page. ${allow}`,
      notion: `notion is not trusted yet; it would fetch ${web.url}, take CRM_PASSWORD from the environment. ${allow}`,
      confluence: `confluence is not trusted yet; it would fetch ${web.url}, take CRM_PASSWORD from the environment. ${allow}`,
      'dbt/dbt': `dbt/dbt is not trusted yet; it would read ${outside}/private. ${allow}`,
    })
    expect(web.requests).toEqual([])
    const checks = (await desk.run('debug', {}))['checks'] as { name: string; ok: boolean }[]
    expect(
      checks
        .filter(({ name, ok }) => ok && name in { ...told, 'database/shop': '', 'docs/handbook': '' })
        .map(({ name }) => name),
    ).toEqual(['database/shop', 'docs/handbook'])
    expect(await refusal(desk.run('execute_sql', { sql: 'SELECT 1', database: 'far' }))).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('database/far'),
    })
    expect(await desk.run('execute_sql', { sql: 'SELECT count(*) FROM orders', database: 'shop' })).toMatchObject({
      rows: [[2]],
    })
    expect(web.requests).toEqual([])
  })

  test('gets no variable from the environment or .env, not even for a path inside', async () => {
    desk.write('.env', 'FILE=shop.db\n')
    desk.configure({ name: 'shop', databases: [{ ...shop, path: '${FILE}' }] })
    expect((await desk.sync()).failures[0]?.message).toContain('take FILE from the environment')
    await trustIt()
    expect((await desk.sync()).failures).toEqual([])
  })

  test('cannot lead outside through a link, however deep, and a link inside is allowed', async () => {
    mkdirSync(desk.path('data'))
    symlinkSync(desk.path('..'), desk.path('data/up'))
    symlinkSync('../shop.db', desk.path('data/own.db'))
    desk.configure({
      name: 'shop',
      databases: [
        { name: 'own', type: 'sqlite', path: 'data/own.db' },
        { name: 'far', type: 'sqlite', path: 'data/up/outside.db' },
      ],
      docs: [{ name: 'diary', path: 'data/up/private' }],
    })
    expect(Object.keys(await failuresOf()).sort()).toEqual(['database/far', 'docs/diary'])
    expect(desk.exists(`${tableFolder('own', 'orders')}/columns.md`)).toBe(true)
  })

  test('keeps its compiled files unchanged if the source is not trusted', async () => {
    desk.configure({ name: 'shop', databases: [{ ...shop, path: '../outside.db' }] })
    await trustIt()
    await desk.sync()
    const before = desk.files()
    await desk.run('trust', { revoke: true })
    expect(syncSources.exit(await desk.sync())).toBe(1)
    expect(desk.files()).toEqual(before)
  })

  test('may not use a template outside the project, or a linked one', async () => {
    desk.write('../private/columns.md.liquid', 'PRIVATE {{ table.name }}')
    desk.configure({ name: 'shop', databases: [shop], templates: '../private' })
    expect((await desk.sync()).failures).toMatchObject([
      { source: 'database/shop', message: expect.stringContaining('templates is not trusted yet; it would read') },
    ])
    desk.configure({ name: 'shop', databases: [shop] })
    mkdirSync(desk.path('templates'))
    symlinkSync(desk.path('../private/diary.md'), desk.path('templates/preview.md.liquid'))
    expect((await desk.sync()).failures).toEqual([])
    expect(JSON.stringify(desk.files())).not.toMatch(/PRIVATE|Diary/)
  })

  test.each(['.ken', '.ken/context-manifest.jsonl'])('writes nothing to the target if %s is a link', async (name) => {
    desk.configure({ name: 'shop', databases: [shop] })
    desk.write('../victim/profile', 'mine\n')
    if (name !== '.ken') mkdirSync(desk.path('.ken'))
    symlinkSync(desk.path(name === '.ken' ? '../victim' : '../victim/profile'), desk.path(name))
    expect(await refusal(desk.sync())).toMatchObject({ code: 'forbidden', message: `${name} is a symbolic link.` })
    expect(readFileSync(desk.path('../victim/profile'), 'utf8')).toBe('mine\n')
    expect(readdirSync(desk.path('../victim'))).toEqual(['profile'])
  })

  test('if a manifest claims the user’s own files, none of them is removed', async () => {
    desk.configure({ name: 'shop', databases: [shop] })
    desk.write('.env', 'A=1\n')
    desk.write('plan.md', 'not committed yet')
    desk.write('notes/draft.md', 'nor this')
    desk.write('.git/config', '[core]\n')
    desk.write('../private/.diary.md.0123456789ab.tmp', 'half')
    const file = (path: string) => ({ path, hash: '0', bytes: 1, tokens: 1, fetched_at: '', framed: false })
    const entry = {
      source: 'gone',
      item: 'x',
      title: 'x',
      fingerprint: '',
      checked_at: '',
      unfinished: true,
      files: ['.env', '.git/config', 'ken.yaml', 'plan.md'].map(file),
    }
    desk.write('.ken/context-manifest.jsonl', `${JSON.stringify(entry)}\n`)
    desk.write(
      '.ken/context-claims.jsonl',
      `${JSON.stringify({ ...entry, item: 'y', source: 'database/shop', files: ['../private/diary.md', 'notes/draft.md'].map(file) })}\n`,
    )
    await desk.sync().catch(() => undefined)
    for (const name of [
      '.env',
      '.git/config',
      'ken.yaml',
      'plan.md',
      'notes/draft.md',
      '../private/diary.md',
      '../private/.diary.md.0123456789ab.tmp',
    ])
      expect({ name, exists: desk.exists(name) }).toEqual({ name, exists: true })
  })

  test.each(['.git/hooks', 'src', '../private'])(
    'writes nothing if its output folder is a link to %s',
    async (target) => {
      desk.configure({ name: 'shop', databases: [shop] })
      desk.write(`${target}/.keep`, '')
      symlinkSync(desk.path(target), desk.path('databases'))
      const output = await desk.sync()
      expect(output.failures).toMatchObject([{ message: expect.stringContaining('link') }])
      expect(readdirSync(desk.path(target)).filter((name) => !['.keep', 'diary.md'].includes(name))).toEqual([])
    },
  )

  test('gets no answer from DuckDB views that read files, addresses and other databases', async () => {
    const instance = await DuckDBInstance.create(desk.path('shop.duckdb'))
    const connection = await instance.connect()
    await connection.run('CREATE TABLE plain (id INTEGER)')
    await connection.run(`CREATE VIEW file AS SELECT * FROM read_text('${desk.path('../private/diary.md')}')`)
    await connection.run(`CREATE VIEW folder AS SELECT * FROM glob('${desk.path('..')}/**')`)
    await connection.run(
      `CREATE VIEW lines AS SELECT * FROM read_csv('${desk.path('../private/diary.md')}', columns = {'line': 'VARCHAR'}, header = false, auto_detect = false)`,
    )
    await connection.run(
      `CREATE MACRO outside() AS TABLE SELECT * FROM read_text('${desk.path('../private/diary.md')}')`,
    )
    await connection.run('CREATE VIEW through_macro AS SELECT * FROM outside()')
    await connection.run("CREATE VIEW surroundings AS SELECT getenv('CRM_PASSWORD') AS value").catch(() => undefined)
    connection.closeSync()
    instance.closeSync()
    desk.configure({ name: 'shop', databases: [{ name: 'shop', type: 'duckdb', path: 'shop.duckdb' }] })
    const output = await desk.sync()
    expect(
      output.failures
        .map(({ item }) => item)
        .filter((item) => item !== 'main.surroundings')
        .sort(),
    ).toEqual(['main.file', 'main.folder', 'main.lines', 'main.through_macro'])
    expect(desk.exists('databases/type=duckdb/database=shop/schema=main/table=plain/columns.md')).toBe(true)
    const written = JSON.stringify(desk.files())
    for (const secret of ['# Diary', 'outside.db"', 'the-users-own-password']) expect(written).not.toContain(secret)
    for (const sql of [
      `ATTACH '${desk.path('../outside.db')}'`,
      'INSTALL httpfs',
      'LOAD httpfs',
      `SELECT * FROM '${desk.path('../private/diary.md')}'`,
      `COPY plain TO '${desk.path('../private/out.csv')}'`,
    ]) {
      const answer = await desk.run('execute_sql', { sql }).catch((error) => ({ refused: error.code }))
      expect({ sql, refused: answer['refused'] !== undefined }).toEqual({ sql, refused: true })
    }
    expect(desk.exists('../private/out.csv')).toBe(false)
  })
})

describe('ken trust', () => {
  const crm = {
    name: 'crm',
    type: 'postgres',
    host: 'db.example.com',
    database: 'crm',
    user: 'app',
    password: '${CRM_PASSWORD}',
  }
  beforeEach(() =>
    desk.configure({ name: 'shop', databases: [shop, crm], docs: [{ name: 'diary', path: '../private' }] }),
  )

  test('shows the requested permissions, asks, and allows exactly those', async () => {
    const asked: string[] = []
    const answer = (yes: boolean) => desk.run('trust', {}, { confirm: async (question) => (asked.push(question), yes) })
    expect(await answer(false)).toMatchObject({ outcome: 'declined' })
    expect(asked[0]).toBe(
      `${desk.root} would be allowed to:\n  database/crm  use a postgres database, database crm, host db.example.com, user app, take CRM_PASSWORD from the environment\n  docs/diary    read ${desk.path('../private')}\n\nAllow this?`,
    )
    expect(Object.keys(await failuresOf())).toContain('docs/diary')
    expect(await answer(true)).toMatchObject({ outcome: 'trusted' })
    expect(Object.keys(await failuresOf())).toEqual(['database/crm'])
    expect((await failuresOf())['database/crm']).not.toContain('trust')
    expect(await answer(false)).toMatchObject({ outcome: 'needless' })
    expect(asked).toHaveLength(2)
  })

  test('does not allow content added during the person’s review', async () => {
    await desk.run(
      'trust',
      {},
      {
        async confirm() {
          desk.configure({
            name: 'shop',
            databases: [{ ...crm, host: 'evil.example.com' }],
            docs: [{ name: 'diary', path: '../private' }],
          })
          return true
        },
      },
    )
    expect((await failuresOf())['database/crm']).toContain(
      'changed since you trusted it: host evil.example.com (new), host db.example.com (gone)',
    )
  })

  test('allows nothing without a terminal and reports it, unless given --yes', async () => {
    const output = await desk.run('trust', {})
    expect(output).toMatchObject({ outcome: 'unanswered' })
    expect(trust.exit(output as never)).toBe(1)
    expect(trust.render(output as never, {} as never)).toContain('say --yes')
    expect(Object.keys(await failuresOf())).toContain('docs/diary')
  })

  test.each([
    ['another host', { ...crm, host: 'evil.example.com' }, 'host evil.example.com (new), host db.example.com (gone)'],
    [
      'another variable',
      { ...crm, password: '${GITHUB_TOKEN}' },
      'take GITHUB_TOKEN from the environment (new), take CRM_PASSWORD from the environment (gone)',
    ],
    [
      'one variable more',
      { ...crm, user: '${HOME}' },
      'user ${HOME} (new), take HOME from the environment (new), user app (gone)',
    ],
    ['another engine', { ...crm, type: 'mysql' }, 'use a mysql database (new), use a postgres database (gone)'],
    [
      'a value for when a variable is not set',
      { ...crm, host: '${DB_HOST:-evil.example.com}' },
      'host evil.example.com (new), take DB_HOST from the environment (new), host db.example.com (gone)',
    ],
    ['less safety', { ...crm, ssl: false }, 'ssl false (new)'],
    [
      'a document that a model writes',
      { ...crm, documents: ['columns', 'ai_summary'] },
      'tell your language model what is in its tables (new)',
    ],
  ])(
    'is required again after %s, explained in plain words, and the other entries continue',
    async (_what, changed, words) => {
      await trustIt()
      desk.configure({ name: 'shop', databases: [shop, changed], docs: [{ name: 'diary', path: '../private' }] })
      const failures = await failuresOf()
      expect(failures).toEqual({
        'database/crm': `database/crm changed since you trusted it: ${words}. Review it and allow it with \`ken trust ${desk.root}\`.`,
      })
      const [entry] = (await desk.run('trust', {}))['projects'][0].entries
      expect(entry).toMatchObject({ entry: 'database/crm', change: words })
    },
  )

  test('is not required again after edits that reach no further', async () => {
    desk.configure({
      name: 'shop',
      docs: [
        { name: 'diary', path: '../private' },
        { name: 'more', path: '../private' },
      ],
    })
    await trustIt()
    desk.configure({
      name: 'other',
      databases: [{ ...shop, exclude: ['*.x'] }],
      docs: [{ name: 'diary', path: './../private/', include: ['*.md'] }],
    })
    expect((await desk.sync()).failures).toEqual([])
  })

  test('detects a change of the .env from the clone, but not of a password in it', async () => {
    desk.configure({ name: 'shop', databases: [{ name: 'crm', type: 'postgres', url: '${CRM_URL}' }] })
    desk.write('.env', 'CRM_URL=postgres://app:first-password@127.0.0.1:1/crm\n')
    await trustIt()
    expect(readFileSync(desk.path('../home/trusted.yaml'), 'utf8')).toContain(
      'url postgres://app:[redacted]@127.0.0.1:1/crm',
    )
    desk.write('.env', 'CRM_URL=postgres://app:second-password@127.0.0.1:1/crm\n')
    expect((await failuresOf())['database/crm']).not.toContain('trust')
    desk.write('.env', 'CRM_URL=postgres://app:second-password@evil.example.com:1/crm\n')
    expect((await failuresOf())['database/crm']).toContain(
      'changed since you trusted it: url postgres://app:[redacted]@evil.example.com:1/crm (new)',
    )
    expect(readFileSync(desk.path('../home/trusted.yaml'), 'utf8')).not.toMatch(/first-password|second-password/)
  })

  test('stores no key that .env puts into an address, and notices when it changes', async () => {
    desk.configure({ name: 'shop', docs: [{ name: 'feed', url: `${web.url}/\${FEED_KEY}/page` }] })
    desk.write('.env', 'FEED_KEY=first-key-of-the-feed\n')
    await trustIt()
    expect((await desk.sync()).failures).toEqual([])
    desk.write('.env', 'FEED_KEY=x@evil.example.com\n')
    expect((await failuresOf())['docs/feed']).toContain('changed since you trusted it')
    expect(readFileSync(desk.path('../home/trusted.yaml'), 'utf8')).not.toContain('first-key')
  })

  test('is required again when a link target changes', async () => {
    symlinkSync(desk.path('handbook'), desk.path('papers'))
    desk.configure({ name: 'shop', docs: [{ name: 'papers', path: 'papers' }] })
    expect((await desk.sync()).failures).toEqual([])
    rmSync(desk.path('papers'))
    symlinkSync(desk.path('../private'), desk.path('papers'))
    expect((await failuresOf())['docs/papers']).toContain(`it would read ${desk.path('../private')}`)
  })

  test('makes hidden characters visible: control characters and bidirectional marks', async () => {
    desk.configure({ name: 'shop', databases: [{ ...crm, host: 'evil.example.com\u001b[2K\rdb.example.com\u202e' }] })
    const { projects } = await desk.run('trust', {})
    expect(projects[0].entries[0].reaches).toContain(
      String.raw`host evil.example.com\u{1b}[2K\u{d}db.example.com\u{202e}`,
    )
  })

  test('is not needed for a project created here, but is for an existing one', async () => {
    rmSync(desk.path('ken.yaml'))
    await desk.run('init_context', { name: 'shop', docs: ['diary=../private'] })
    expect((await desk.sync()).failures).toEqual([])
    await desk.run('trust', { revoke: true })
    await desk.run('init_context', { name: 'shop' })
    expect(Object.keys(await failuresOf())).toEqual(['docs/diary'])
  })

  test('can be listed and revoked, even for a deleted project, and is readable by the owner only', async () => {
    await trustIt()
    expect(statSync(desk.path('../home/trusted.yaml')).mode & 0o777).toBe(0o600)
    expect((await desk.run('trust', { list: true }))['projects']).toMatchObject([
      { root: desk.root, entries: [{ entry: 'database/crm' }, { entry: 'docs/diary' }] },
    ])
    expect(await desk.run('trust', { revoke: true, folder: 'handbook' })).toMatchObject({ outcome: 'revoked' })
    expect(await desk.run('trust', { revoke: true })).toMatchObject({ outcome: 'unknown' })
    await trustIt()
    rmSync(desk.path('ken.yaml'))
    expect(await desk.run('trust', { revoke: true, folder: desk.root })).toMatchObject({ outcome: 'revoked' })
    expect((await desk.run('trust', { list: true }))['projects']).toEqual([])
  })

  test('applies a revocation at once, including to an open connection', async () => {
    desk.configure({ name: 'shop', databases: [{ name: 'far', type: 'sqlite', path: '../outside.db' }] })
    await trustIt()
    await desk.sync()
    expect(await desk.run('execute_sql', { sql: 'SELECT count(*) FROM secrets' })).toMatchObject({ rows: [[0]] })
    await desk.run('trust', { revoke: true })
    expect(await refusal(desk.run('execute_sql', { sql: 'SELECT count(*) FROM secrets' }))).toMatchObject({
      code: 'forbidden',
    })
  })

  test('can be granted only by a person, not by an agent or a program', () => {
    expect(Object.keys(trust.hiddenFrom).sort()).toEqual(['http', 'mcp'])
  })
})

describe('a secret in ken.yaml', () => {
  const secret = 'hunter2-hunter2'
  test.each([
    [
      'password',
      { databases: [{ name: 'crm', type: 'postgres', host: '127.0.0.1', database: 'x', password: secret }] },
      'database/crm',
      'CRM_PASSWORD',
    ],
    [
      'url',
      { databases: [{ name: 'crm', type: 'postgres', url: `postgres://app:${secret}@127.0.0.1:1/x` }] },
      'database/crm',
      'CRM_URL',
    ],
    [
      'url',
      { databases: [{ name: 'crm', type: 'postgres', url: `postgres://127.0.0.1:1/x?sslpassword=${secret}` }] },
      'database/crm',
      'CRM_URL',
    ],
    [
      'password',
      {
        databases: [{ name: 'crm', type: 'postgres', host: '127.0.0.1', database: 'x', password: `\${P:-${secret}}` }],
      },
      'database/crm',
      'CRM_PASSWORD',
    ],
    [
      'secret_access_key',
      { databases: [{ name: 'lake', type: 'athena', region: 'x', database: 'x', secret_access_key: secret }] },
      'database/lake',
      'LAKE_SECRET_ACCESS_KEY',
    ],
    [
      'private_key_passphrase',
      {
        databases: [
          { name: 'snow', type: 'snowflake', account: 'x', user: 'x', database: 'x', private_key_passphrase: secret },
        ],
      },
      'database/snow',
      'SNOW_PRIVATE_KEY_PASSPHRASE',
    ],
    [
      'url',
      { repositories: [{ name: 'web', url: `https://me:${secret}@127.0.0.1:1/web.git` }] },
      'repository/web',
      'WEB_URL',
    ],
    [
      'url',
      { repositories: [{ name: 'web', url: `https://${secret}-${secret}@127.0.0.1:1/web.git` }] },
      'repository/web',
      'WEB_URL',
    ],
    ['token', { notion: { token: secret, url: 'http://127.0.0.1:1' } }, 'notion', 'NOTION_TOKEN'],
  ])(
    'is refused in %s with the variable to use, trusted or not, and is shown nowhere',
    async (field, config, key, variable) => {
      desk.configure({ name: 'shop', ...config })
      await trustIt()
      const output = await desk.sync()
      expect(output.failures).toMatchObject([
        {
          source: key,
          message: `ken.yaml: ${key}: "${field}" contains a plain-text secret. Write \${${variable}} there, and set ${variable} in the environment or in .env beside ken.yaml.`,
        },
      ])
      expect(syncSources.exit(output)).toBe(1)
      const checked = await desk.run('debug', {})
      expect(checked['checks'].find(({ name }: { name: string }) => name === key)).toMatchObject({
        ok: false,
        hint: expect.stringContaining(variable),
      })
      expect(
        JSON.stringify([
          output,
          checked,
          await desk.run('trust', { list: true }),
          readFileSync(desk.path('../home/trusted.yaml'), 'utf8'),
        ]),
      ).not.toContain(secret)
    },
  )

  test('is not assumed for an empty password, a user without one, or a reference in an address', async () => {
    desk.configure({
      name: 'shop',
      databases: [
        { name: 'a', type: 'postgres', host: '127.0.0.1', port: 1, database: 'x', password: '' },
        { name: 'b', type: 'postgres', url: 'postgres://${U:-me}:${CRM_PASSWORD}@127.0.0.1:1/x' },
      ],
      repositories: [
        { name: 'ssh', url: 'ssh://git@127.0.0.1:1/web.git' },
        { name: 'azure', url: 'https://me@127.0.0.1:1/web.git' },
      ],
    })
    await trustIt()
    for (const message of Object.values(await failuresOf())) expect(message).not.toContain('secret')
  })
})
