import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Context } from '../../src/operations/context.ts'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

const SECRET = 'a-very-long-password'
let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk({ REPORTS_URL: `postgres://app:${SECRET}@reports.example/reports` }, { trusted: false })
  desk.write('ken.yaml', '# Ours\nname: shop # the name\n\ndatabases: []\n')
  desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER)')
})
afterEach(() => desk.close())

const add = (what: string[], more: object = {}, ctx: Partial<Context> = {}) =>
  desk.run('source_add', { what, test: false, ...more }, ctx)
const refused = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing was refused',
    (error) => `${error.code}: ${error.line}`,
  )
const config = () => parse(desk.read('ken.yaml')) as Record<string, any>
const trusted = async () =>
  (await desk.run('trust', { list: true }))['projects'].flatMap((one: any) =>
    one.entries.map((entry: any) => entry.entry),
  )

describe('minimal input is enough', () => {
  test.each<[string, string[], string, object]>([
    ['a database file', ['shop.db'], 'databases', { name: 'shop', type: 'sqlite', path: 'shop.db' }],
    ['one with its type', ['crm=sqlite:shop.db'], 'databases', { name: 'crm', type: 'sqlite', path: 'shop.db' }],
    [
      'an address',
      ['postgres://db.example/crm'],
      'databases',
      { name: 'crm', type: 'postgres', url: 'postgres://db.example/crm' },
    ],
    ['a variable', ['REPORTS_URL'], 'databases', { name: 'reports', type: 'postgres', url: '${REPORTS_URL}' }],
    [
      'a variable as a reference',
      ['x=${REPORTS_URL}'],
      'databases',
      { name: 'x', type: 'postgres', url: '${REPORTS_URL}' },
    ],
    ['a dbt project', ['./analytics'], 'dbt', { name: 'analytics', path: 'analytics' }],
    [
      'a repository',
      ['https://github.com/acme/web'],
      'repositories',
      { name: 'web', url: 'https://github.com/acme/web' },
    ],
    [
      'one of git alone',
      ['git@example.com:a/shop.git'],
      'repositories',
      { name: 'shop', url: 'git@example.com:a/shop.git' },
    ],
    ['a folder outside', ['../handbook'], 'docs', { name: 'handbook', path: '../handbook' }],
    [
      'a site',
      ['https://docs.example.com/llms.txt'],
      'docs',
      { name: 'docs.example', url: 'https://docs.example.com/llms.txt' },
    ],
    [
      'a kind and its fields',
      ['mysql', 'host=db', 'port=3307', 'database=crm', 'ssl=true'],
      'databases',
      { name: 'crm', type: 'mysql', host: 'db', port: 3307, database: 'crm', ssl: true },
    ],
    [
      'an address of any kind',
      ['snowflake://me@acme/DWH/RAW?warehouse=WH'],
      'databases',
      { name: 'DWH', type: 'snowflake', account: 'acme', user: 'me', database: 'DWH', schema: 'RAW', warehouse: 'WH' },
    ],
  ])('%s', async (_what, words, list, entry) => {
    desk.write('analytics/dbt_project.yml', 'name: analytics\n')
    desk.write('../handbook/a.md', '# A\n')
    await add(words)
    expect(config()[list].at(-1)).toEqual(entry)
    expect(desk.read('ken.yaml')).toMatch(/^# Ours\nname: shop # the name\n\n/)
  })

  test('adds several at once, atomically', async () => {
    desk.sqlite('crm.db', 'CREATE TABLE people (id INTEGER)')
    expect(await refused(add(['shop.db', 'crm.db', 'nowhere.db']))).toContain('nowhere.db not found.')
    expect(config()['databases']).toEqual([])
    await add(['shop.db', 'crm.db'])
    expect(config()['databases']).toHaveLength(2)
  })

  test('missing parts of an address can be added after it', async () => {
    const page = 'https://acme.atlassian.net/wiki/spaces/OPS/pages/1'
    expect(await refused(add([page]))).toContain('confluence needs "token"')
    await add([page, 'email=me@acme.example', 'token=${WIKI_TOKEN}'])
    expect(config()['confluence']).toEqual({
      url: 'https://acme.atlassian.net/wiki',
      spaces: ['OPS'],
      email: 'me@acme.example',
      token: '${WIKI_TOKEN}',
    })
  })

  test('a folder around the project is not accepted as a source, but a dbt project may be', async () => {
    for (const folder of ['.', '..'])
      expect(await refused(add([folder]))).toContain('contains the context project itself')
    desk.write('dbt_project.yml', 'name: x\n')
    await add(['.'])
    expect(config()['dbt']).toEqual([{ name: 'dbt', path: '.' }])
  })

  test('accepts filters and a name', async () => {
    await add(['shop.db'], { name: 'main', include: ['main.*'], exclude: ['main.tmp_*'] })
    expect(config()['databases']).toEqual([
      { name: 'main', type: 'sqlite', path: 'shop.db', include: ['main.*'], exclude: ['main.tmp_*'] },
    ])
    desk.write('analytics/dbt_project.yml', 'name: analytics\n')
    expect(await refused(add(['analytics'], { include: ['x'] }))).toContain('dbt has no option --include')
  })

  test('the type is detected from the content, not from the name', async () => {
    desk.write('notes.duckdb', 'not a database')
    expect(await refused(add(['notes.duckdb']))).toContain('is not a supported data file')
    desk.sqlite('data.duckdb', 'CREATE TABLE t (id INTEGER)')
    await add(['data.duckdb'])
    expect(config()['databases'][0]).toMatchObject({ type: 'sqlite' })
    expect(await refused(add(['duckdb:shop.db']))).toContain('is a SQLite file, not DuckDB')
  })

  test('from a folder inside the project, paths are relative to the project', async () => {
    mkdirSync(desk.path('data'))
    desk.sqlite('data/crm.db', 'CREATE TABLE people (id INTEGER)')
    const cwd = desk.path('data')
    const pathNamed = (path: string) => (path.startsWith('/') ? path : `${cwd}/${path}`)
    await add(['crm.db'], {}, { cwd, pathNamed })
    expect(config()['databases'][0].path).toBe('data/crm.db')
  })
})

describe('adding is safe to repeat', () => {
  test('adding the same again changes nothing, and reports it', async () => {
    await add(['shop.db'])
    const before = desk.read('ken.yaml')
    expect((await add(['shop.db']))['added'][0]).toMatchObject({ key: 'database/shop', already: true })
    expect(desk.read('ken.yaml')).toBe(before)
  })

  test('a name that is taken fails with one clear line', async () => {
    await add(['shop.db'])
    desk.sqlite('data/../other.db', 'CREATE TABLE t (id INTEGER)')
    expect(await refused(add(['shop=sqlite:other.db']))).toBe(
      'conflict: The name "shop" is taken by database/shop. Give another with --name, or take that one out: `ken source remove shop`.',
    )
    expect(await refused(add(['SHOP=sqlite:other.db']))).toContain('is taken')
  })

  test('remove undoes add, byte for byte', async () => {
    const before = desk.read('ken.yaml')
    await add(['shop.db'])
    const told = await desk.run('source_remove', { name: 'shop' })
    expect(told).toMatchObject({ key: 'database/shop' })
    expect(desk.read('ken.yaml')).toBe(before)
    expect(await refused(desk.run('source_remove', { name: 'shop' }))).toContain('No source named "shop".')
  })
})

describe('a secret', () => {
  const url = `postgres://app:${SECRET}@db.example/crm`

  test('is written to .env, readable by its owner only, and is shown nowhere', async () => {
    execFileSync('git', ['init', '-q', desk.root])
    desk.write('.gitignore', 'node_modules')
    const told = await add([url])
    expect(desk.read('.env')).toBe(`CRM_URL='${url}'\n`)
    expect(statSync(desk.path('.env')).mode & 0o777).toBe(0o600)
    expect(desk.read('.gitignore')).toBe('node_modules\n.env\n')
    expect(config()['databases'][0]).toEqual({ name: 'crm', type: 'postgres', url: '${CRM_URL}' })
    expect(JSON.stringify(told)).not.toContain(SECRET)
    expect(told['added'][0]).toMatchObject({ variables: ['CRM_URL'], trusted: true })
    expect(readFileSync(desk.path('../home/trusted.yaml'), 'utf8')).not.toContain(SECRET)
  })

  test('is handled the same way in a separate field', async () => {
    await add(['postgres', 'host=db', 'database=crm', 'user=app', `password=${SECRET}`])
    expect(config()['databases'][0].password).toBe('${CRM_PASSWORD}')
    await add(['notion', `token=${SECRET}`])
    expect(config()['notion']).toEqual({ token: '${NOTION_TOKEN}' })
    expect(desk.read('.env')).toBe(`CRM_PASSWORD='${SECRET}'\nNOTION_TOKEN='${SECRET}'\n`)
  })

  test.each(["it's", 'a"b', 'a`b', 'a#b c', '$HOME', 'tail\\', 'ünï', '='])(
    '%j is read back from .env unchanged',
    async (odd) => {
      await add(['redshift', 'host=h', 'database=crm', 'user=u', `password=${odd}-and-more`])
      expect(parseEnv(desk.read('.env'))).toEqual({ CRM_PASSWORD: `${odd}-and-more` })
    },
  )

  test('uses another variable if its own is already used for something else', async () => {
    desk.write('.env', 'CRM_URL=something\nKEEP=1')
    await add([url])
    expect(desk.read('.env')).toBe(`CRM_URL=something\nKEEP=1\nCRM_URL_2='${url}'\n`)
    expect(config()['databases'][0].url).toBe('${CRM_URL_2}')
  })

  test('does not change the content of an unclosed quote', async () => {
    desk.write('.env', "A='open\n")
    const before = parseEnv(desk.read('.env'))
    await refused(add([url]))
    expect(parseEnv(desk.read('.env'))).toMatchObject(before)
  })

  test('is not written if git tracks .env', async () => {
    execFileSync('git', ['init', '-q', desk.root])
    desk.write('.env', 'A=1\n')
    execFileSync('git', ['-C', desk.root, 'add', '-f', '.env'])
    expect(await refused(add([url]))).toContain('git tracks .env here')
    expect(desk.read('.env')).toBe('A=1\n')
    expect(config()['databases']).toEqual([])
  })

  test('is not in the error about an invalid argument', async () => {
    for (const word of [
      `postgres:/app:${SECRET}@db/x`,
      `app:${SECRET}@db/x`,
      `postgress://app:${SECRET}@db/x`,
      `x=psql:app:${SECRET}@db`,
    ])
      expect(await refused(add([word]))).not.toContain(SECRET)
    expect(await refused(add(['postgres', `app:${SECRET}@db`]))).not.toContain(SECRET)
    expect(await refused(add([`postgres://app:${SECRET}@`]))).not.toContain(SECRET)
  })

  test('is prompted for at a terminal, with hidden input', async () => {
    const asked: [string, boolean | undefined][] = []
    const ask: Context['ask'] = async (question, how) => (asked.push([question, how?.hidden]), SECRET)
    await add(['postgres://app@db.example/crm'], {}, { ask, confirm: async () => false })
    expect(asked).toEqual([[expect.stringContaining('Password of app at db.example?'), true]])
    expect(desk.read('.env')).toContain(`CRM_URL='postgres://app:${SECRET}@db.example/crm'`)
  })

  test('is prompted for if a variable is given, and may be left unset', async () => {
    const told = await add(
      ['postgres', 'host=h', 'database=crm', 'password=${CRM_PASSWORD}'],
      {},
      { ask: async () => '', confirm: async () => false },
    )
    expect(told['added'][0].unset).toEqual(['CRM_PASSWORD'])
    expect(desk.exists('.env')).toBe(false)
  })

  test('stays in .env when its source is removed, unless it is to be forgotten', async () => {
    desk.write('.env', 'KEEP=1\n')
    await add([url])
    expect(await desk.run('source_remove', { name: 'crm' })).toMatchObject({ kept: ['CRM_URL'], forgotten: [] })
    await add([url])
    expect(await desk.run('source_remove', { name: 'crm', forget_secret: true })).toMatchObject({
      forgotten: ['CRM_URL'],
    })
    expect(desk.read('.env')).toBe('KEEP=1\n')
  })
})

describe('a clone is untrusted', () => {
  test('only the added source is trusted, and nothing that came with the clone', async () => {
    desk.write('../private/a.md', '# A\n')
    desk.write('../handbook/a.md', '# A\n')
    desk.write('ken.yaml', 'name: shop\ndocs:\n  - { name: diary, path: ../private }\n')
    await add(['../handbook'])
    expect(await trusted()).toEqual(['docs/handbook'])
    const rows = (await desk.run('source_list', {}))['sources']
    expect(rows.map(({ name, trusted }: any) => [name, trusted])).toEqual([
      ['diary', false],
      ['handbook', true],
    ])
    await desk.run('source_remove', { name: 'handbook' })
    expect(await trusted()).toEqual([])
  })

  test('a link out of the folder is named, and not treated as a file in it', async () => {
    desk.sqlite('../private.db', 'CREATE TABLE t (id INTEGER)')
    symlinkSync('../private.db', desk.path('mine.db'))
    expect(await refused(add(['mine.db']))).toMatch(
      /^forbidden: mine\.db is a link that leads out of the project, to .*private\.db/,
    )
    expect(await refused(add(['sqlite:mine.db']))).toContain('is a link that leads out')
    const { found } = await desk.run('source_add', {})
    expect(found.find(({ what }: any) => what === 'link mine.db').detail).toMatch(
      /leads out of this folder, to .*private\.db/,
    )
  })

  test('a link further down is not followed out of the named folder', async () => {
    desk.write('../private/manifest.json', '{"metadata": {}, "nodes": {}}')
    for (const [name, link] of [
      ['analytics', '../../../private/manifest.json'],
      ['../models', '../../private/manifest.json'],
    ] as const) {
      desk.write(`${name}/dbt_project.yml`, 'name: x\n')
      mkdirSync(desk.path(`${name}/target`))
      symlinkSync(link, desk.path(`${name}/target/manifest.json`))
      await add([name])
    }
    const { failures } = await desk.sync()
    expect(failures.map(({ message }) => message)).toEqual([
      expect.stringMatching(/link/),
      expect.stringMatching(/link/),
    ])
  })

  test.each(['ken.yaml', '.env', '.gitignore'])('%s is not written through a link', async (name) => {
    execFileSync('git', ['init', '-q', desk.root])
    const text = name === 'ken.yaml' ? desk.read(name) : ''
    desk.write('../elsewhere', text)
    execFileSync('rm', ['-f', desk.path(name)])
    symlinkSync('../elsewhere', desk.path(name))
    expect(await refused(add([`postgres://app:${SECRET}@db.example/crm`]))).toContain(`forbidden: ${name} is a link`)
    expect(desk.read('../elsewhere')).toBe(text)
  })

  test('a variable in an existing .env is not treated as typed by the person', async () => {
    desk.write('.env', 'CRM_URL=postgres://app@stranger.example/x\n')
    const told = await add(['crm=CRM_URL'])
    expect(told['added'][0]).toMatchObject({ trusted: false })
    expect(told['added'][0].reaches.join()).toContain('stranger.example')
    await desk.run('source_remove', { name: 'crm' })
    const asked: string[] = []
    const confirm = async (question: string) => (asked.push(question), question.includes('Allow'))
    expect((await add(['crm=CRM_URL'], {}, { confirm, ask: async () => '' }))['added'][0].trusted).toBe(true)
    expect(asked[0]).toContain('stranger.example')
  })
})

describe('an existing project', () => {
  test('gets the database named in ken init', async () => {
    const told = await desk.run('init', { context: true, database: ['crm=sqlite:shop.db'] })
    expect(told).toMatchObject({ created: false, added: [{ key: 'database/crm' }] })
    expect(config()['databases']).toEqual([{ name: 'crm', type: 'sqlite', path: 'shop.db' }])
  })

  test('creates nothing for a missing file', async () => {
    expect(await refused(desk.run('init', { context: true, folder: 'fresh', database: ['sqlite:shp.db'] }))).toBe(
      'not_found: shp.db not found. Did you mean "shop.db"?',
    )
    expect(desk.exists('fresh')).toBe(false)
  })
})
