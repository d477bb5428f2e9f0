import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Context } from '../../src/operations/context.ts'
import { KEN } from '../ken-program.ts'
import { atTerminal } from '../pseudo-terminal.ts'
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
const config = () => parse(desk.read('ken.yaml')) as Record<string, any>
describe('available sources', () => {
  test('are listed with the commands that add them, and nothing is written', async () => {
    desk.write('analytics/dbt_project.yml', 'name: analytics\nprofile: wh\n')
    desk.write(
      '../.dbt/profiles.yml',
      `wh:\n  target: prod\n  outputs:\n    prod: { type: snowflake, account: acme, user: me, password: ${SECRET}, database: DWH }\n`,
    )
    desk.write('.env', `DATABASE_URL=postgres://app:${SECRET}@db.example/crm\nAPI_URL=https://api.example\n`)
    desk.write('handbook/a.md', '# A\n')
    desk.write('not.db', 'text')
    const before = desk.files()
    const told = await desk.run('source_add', {})
    expect(told['outcome']).toBe('found')
    const commands = told['found'].map(({ what, command }: any) => [what, command])
    expect(Object.fromEntries(commands)).toEqual({
      'SQLite file shop.db': 'ken source add shop.db',
      'dbt project analytics': 'ken source add analytics',
      'Snowflake of the dbt profile wh (target prod)':
        "ken source add snowflake account=acme user=me 'password=${WH_PASSWORD}' database=DWH --name wh",
      'PostgreSQL at DATABASE_URL': "ken source add '${DATABASE_URL}'",
      'PostgreSQL at REPORTS_URL': "ken source add '${REPORTS_URL}'",
      'documents in handbook': 'ken source add docs:handbook',
    })
    expect(JSON.stringify(told)).not.toContain(SECRET)
    expect(told['found'][0].detail).toMatch(/^1 table, read-only, \d+ KB$/)
    expect(desk.files()).toEqual(before)
  })

  test('are offered one by one at a terminal, and another can be named', async () => {
    desk.sqlite('crm.db', 'CREATE TABLE people (id INTEGER)')
    const asked: string[] = []
    const answers = ['nowhere.db', 'second=sqlite:crm.db', '']
    const told = await desk.run(
      'source_add',
      {},
      {
        confirm: async (question) => (asked.push(question), question.includes('shop.db')),
        ask: async (question) => (asked.push(question), answers.shift()!),
      },
    )
    expect(told['added'].map(({ key }: any) => key)).toEqual(['database/shop', 'database/second'])
    expect(asked.join('\n')).toContain('nowhere.db not found.')
    expect(asked.join('\n')).toMatch(/SQLite file crm\.db\n {2}1 table, read-only/)
  })

  test('exclude those already in ken.yaml, and a second one with the same name gets another name', async () => {
    await add(['shop.db'])
    mkdirSync(desk.path('old'))
    desk.sqlite('old/shop.db', 'CREATE TABLE t (id INTEGER)')
    const { found } = await desk.run('source_add', {})
    expect(found.filter(({ what }: any) => what.includes('SQLite')).map(({ command }: any) => command)).toEqual([
      'ken source add old/shop.db --name shop-sqlite',
    ])
  })

  test('names with terminal control characters are shown escaped', async () => {
    writeFileSync(desk.path('a\u001b[31m\nb.db'), readFileSync(desk.path('shop.db')))
    const { found } = await desk.run('source_add', {})
    expect(JSON.stringify(found)).not.toMatch(/\\u001b|a[^"]*\\nb\.db: /)
    expect(found.map(({ what }: any) => what).join()).toContain('\\u{1b}')
  })

  test('a dbt profile from the clone is marked as such, with the variables it would use', async () => {
    desk.write('dbt_project.yml', 'name: wh\n')
    desk.write(
      'profiles.yml',
      `wh:\n  outputs:\n    dev: { type: postgres, host: stranger.example, dbname: x, user: u, pass: "{{ env_var('AWS_SECRET') }}" }\n`,
    )
    desk.sqlite('-rf.db', 'CREATE TABLE t (id INTEGER)')
    const { found } = await desk.run('source_add', {})
    expect(found.find(({ what }: any) => what.startsWith('PostgreSQL of')).detail).toBe(
      'host stranger.example, database x, by profiles.yml of this folder, takes AWS_SECRET',
    )
    expect(found.map(({ command }: any) => command)).toContain('ken source add ./-rf.db')
  })

  test('a folder with thousands of folders is searched for a limited time', async () => {
    for (let at = 0; at < 400; at++) mkdirSync(desk.path(`d${at}/e/f/g`), { recursive: true })
    desk.sqlite('d399/deep.db', 'CREATE TABLE t (id INTEGER)')
    const { found } = await desk.run('source_add', {})
    expect(found.map(({ what }: any) => what)).toContain('SQLite file shop.db')
  })
})

describe('real processes', () => {
  const env = () => ({
    PATH: process.env['PATH'],
    HOME: desk.path('..'),
    KEN_HOME: desk.path('../home'),
    KEN_TELEMETRY: '0',
    KEN_EMBEDDINGS: '0',
  })

  test('lose no entries if they add at the same time, in ken.yaml, .env and the trusted entries', async () => {
    const names = Array.from({ length: 6 }, (_, at) => `db${at}`)
    const codes = await Promise.all(
      names.map(
        (name) =>
          new Promise<number | null>((ended) => {
            const words = ['source', 'add', `postgres://app:${SECRET}@${name}.example/${name}`]
            spawn(process.execPath, [KEN, ...words], { cwd: desk.root, env: env(), stdio: 'ignore' }).on('close', ended)
          }),
      ),
    )
    expect(codes).toEqual(names.map(() => 0))
    const databases = config()['databases'] as { name: string }[]
    expect(databases.map(({ name }) => name).toSorted()).toEqual(names)
    expect(desk.read('.env').trim().split('\n')).toHaveLength(names.length)
    const rows = (await desk.run('source_list', {}))['sources']
    expect(rows.every(({ trusted }: any) => trusted)).toBe(true)
    expect(desk.read('ken.yaml')).toMatch(/^# Ours\nname: shop # the name\n/)
  })

  test.skipIf(process.platform === 'win32')(
    'show available sources at a terminal, prompt, and never show hidden input',
    async () => {
      desk.write('.env', '')
      const { text, code } = await atTerminal(['source', 'add'], {
        cwd: desk.root,
        env: env(),
        answers: [
          ['SQLite file shop.db', 'y'],
          ['Anything else?', 'postgres://app@127.0.0.1:1/crm\r'],
          ['Password of app', `${SECRET}\r`],
          ['Connect to database/crm', 'n'],
          ['Anything else?', '\r'],
        ],
      })
      expect(text).toMatch(/1 table, read-only, 8 KB/)
      expect(text).toContain('Added database/shop to ken.yaml')
      expect(text).not.toContain(SECRET)
      expect(desk.read('.env')).toContain(`CRM_URL='postgres://app:${SECRET}@127.0.0.1:1/crm'`)
      expect(config()['databases'].map(({ name }: any) => name)).toEqual(['shop', 'crm'])
      expect(code).toBe(0)
    },
  )

  test.skipIf(process.platform === 'win32')('create a project at a terminal from the sources found', async () => {
    desk.write('fresh/analytics/dbt_project.yml', 'name: analytics\n')
    desk.write('fresh/analytics/target/manifest.json', '{"nodes":{}}')
    desk.sqlite('fresh/shop.db', 'CREATE TABLE orders (id INTEGER)')
    const { text, code } = await atTerminal(['init', '--context'], {
      cwd: desk.path('fresh'),
      env: env(),
      answers: [
        ['SQLite file shop.db', 'y'],
        ['dbt project analytics', 'y'],
        ['Anything else?', '\u0003'],
      ],
    })
    expect(text).toMatch(/1 table, read-only/)
    expect(code).toBe(130)
    const made = parse(desk.read('fresh/ken.yaml')) as Record<string, { name: string }[]>
    expect([made['databases']?.[0]?.name, made['dbt']?.[0]?.name]).toEqual(['shop', 'analytics'])
  })
})
