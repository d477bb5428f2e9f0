import { mkdirSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

// Errors in an entry are reported before the user is asked to trust it.

let desk: ContextDesk
beforeEach(
  () => (desk = openContextDesk({ CRM_URL: 'postgres://app:a-long-password@db.example/crm' }, { trusted: false })),
)
afterEach(() => desk.close())

const problemOf = async (entry: object, list = 'databases'): Promise<string> => {
  desk.configure({ name: 'shop', [list]: [{ name: 'x', ...entry }] })
  const { checks } = await desk.run('debug', {})
  return [checks[0].problem, checks[0].hint].join(' ')
}

describe('an entry that is not trusted yet', () => {
  test.each<[string, object, RegExp]>([
    [
      'a type that is not there',
      { type: 'postgress', url: '${CRM_URL}' },
      /no type named "postgress".*Did you mean "postgres"\?/,
    ],
    [
      'a field that is not there',
      { type: 'postgres', hst: 'db', database: 'y' },
      /"hst" is not known.*Did you mean "host"\?/,
    ],
    ['a field that is missing', { type: 'snowflake', account: 'a', user: 'u' }, /"database" is missing/],
    ['a value that cannot be', { type: 'postgres', url: 'db.example/crm' }, /"url"/],
    ['neither url nor host', { type: 'mysql', user: 'x' }, /give either url, or host/],
    ['a slip beside a reference', { type: 'mysql', url: '${CRM_URL}', hots: 'x' }, /"hots" is not known/],
    ['a missing file', { type: 'sqlite', path: '../nowhere.db' }, /There is no file .*nowhere\.db\./],
  ])('%s is reported before trust is requested', async (_what, entry, says) => {
    expect(await problemOf(entry)).toMatch(says)
  })

  test('needs trust if only a variable could reveal more', async () => {
    expect(await problemOf({ type: 'postgres', url: '${CRM_URL}' })).toContain('is not trusted yet')
    expect(await problemOf({ type: 'mysql', url: '${CRM_URL}' })).toContain('is not trusted yet')
    expect(await problemOf({ type: 'sqlite', path: '${CRM_URL}' })).toContain('is not trusted yet')
  })

  test('never shows the value of a secret in an error', async () => {
    const secret = 'hunter2-hunter2'
    for (const entry of [
      { type: `postgres://app:${secret}@db/crm` },
      { type: 'postgres', url: `postgres//app:${secret}@db/crm` },
      { type: 'postgres', host: 'h', database: 'd', ssl: `postgres://app:${secret}@db/crm` },
      { type: 'postgres', host: 'h', database: 'd', pasword: secret },
      { type: 'redshift', host: 'h', database: 'd', user: 'u', password: { [secret]: secret } },
    ])
      expect(await problemOf(entry)).not.toContain(secret)
  })
})

describe('a missing file', () => {
  test('is reported in one line with similar names', async () => {
    desk.sqlite('shop.db', 'CREATE TABLE orders (id INTEGER)')
    expect(await problemOf({ type: 'sqlite', path: 'shp.db' })).toBe('There is no file shp.db. Did you mean "shop.db"?')
    mkdirSync(desk.path('data'))
    desk.sqlite('data/crm.sqlite', 'CREATE TABLE people (id INTEGER)')
    expect(await problemOf({ type: 'sqlite', path: 'data/cmr.sqlite' })).toContain('Did you mean "data/crm.sqlite"?')
    expect(await problemOf({ type: 'sqlite', path: 'date/crm.sqlite' })).toContain('There is no folder date.')
  })

  test('reveals no file names outside the folder', async () => {
    desk.write('../private.db', '')
    expect(await problemOf({ type: 'sqlite', path: '../privat.db' })).not.toContain('private.db')
    symlinkSync('..', desk.path('up'))
    expect(await problemOf({ type: 'sqlite', path: 'up/privat.db' })).not.toContain('private.db')
  })

  test('is also reported for folders and dbt projects outside the project', async () => {
    expect(await problemOf({ path: '../handbok' }, 'docs')).toContain('There is no ../handbok.')
    expect(await problemOf({ path: '../analytix' }, 'dbt')).toContain('There is no ../analytix.')
  })
})

describe('ken trust', () => {
  test('reports the problems of broken entries, and does not ask about them', async () => {
    desk.configure({ name: 'shop', databases: [{ name: 'x', type: 'sqlite', path: '../nowhere.db' }] })
    const asked: string[] = []
    const confirm = async (question: string) => (asked.push(question), true)
    const told = await desk.run('trust', {}, { confirm })
    expect(asked).toEqual([])
    expect(told).toMatchObject({
      outcome: 'faulty',
      faults: [expect.stringContaining('There is no file ../nowhere.db.')],
    })
  })

  test('allows the others, and grants nothing to broken entries', async () => {
    desk.write('../handbook/a.md', '# A\n')
    desk.configure({
      name: 'shop',
      databases: [{ name: 'x', type: 'sqlite', path: '../nowhere.db' }],
      docs: [{ name: 'handbook', path: '../handbook' }],
    })
    const asked: string[] = []
    const confirm = async (question: string) => (asked.push(question), true)
    const told = await desk.run('trust', {}, { confirm })
    expect(told['outcome']).toBe('trusted')
    expect(asked).toHaveLength(1)
    expect(asked[0]!.indexOf('There is no file ../nowhere.db.')).toBeLessThan(asked[0]!.indexOf('docs/handbook'))
    expect(told['projects'][0].entries.map(({ entry }: { entry: string }) => entry)).toEqual(['docs/handbook'])
    desk.write('../nowhere.db', '')
    const { checks } = await desk.run('debug', {})
    expect(checks[0].problem).toContain('database/x is not trusted yet')
  })
})
