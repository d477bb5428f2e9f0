import { describe, expect, test } from 'vitest'
import { contextDefinitions } from '../../../app/providers.ts'
import { dbtConnection, dbtProfileName } from './dbt-profile.ts'
import { entryKinds } from './propose-entry.ts'

const kinds = entryKinds(await contextDefinitions())
const connectionOf = (output: string, target = 'dev') =>
  dbtConnection(`shop:\n  target: ${target}\n  outputs:\n    dev:\n${output.replaceAll(/^/gm, '      ')}\n`, 'shop', {
    kinds,
    name: 'shop',
  })

test('a dbt project uses the profile it names, otherwise the profile with the project’s name', () => {
  expect(dbtProfileName('name: shop\nprofile: warehouse\n')).toBe('warehouse')
  expect(dbtProfileName('name: shop\n')).toBe('shop')
  expect(dbtProfileName('[')).toBeUndefined()
})

describe('a target of a dbt profile', () => {
  test('becomes entry fields, with its variables as references', () => {
    const found = connectionOf(
      `type: postgres\nhost: "{{ env_var('PG_HOST', 'localhost') }}"\nport: "{{ env_var('PG_PORT') | as_number }}"\nuser: app\npass: "{{ env_var('PG_PASS') }}"\ndbname: crm\nschema: public\nthreads: 4`,
    )
    expect(found).toMatchObject({
      target: 'dev',
      fields: {
        host: '${PG_HOST:-localhost}',
        port: '${PG_PORT}',
        user: 'app',
        password: '${PG_PASS}',
        database: 'crm',
      },
    })
  })

  test('never passes on a plain secret, under any field name', () => {
    const secret = 'hunter2-hunter2'
    for (const output of [
      `type: postgres\nhost: h\nuser: u\npassword: ${secret}\ndbname: d`,
      `type: postgres\nhost: h\nuser: u\npass: ${secret}\ndbname: d`,
      `type: postgres\nhost: h\nuser: u\npass: "{{ env_var('X', '${secret}') }}"\ndbname: d`,
      `type: snowflake\naccount: a\nuser: u\npassword: ${secret}\ndatabase: d\nprivate_key_passphrase: ${secret}`,
      `type: databricks\nhost: h\nhttp_path: /x\ntoken: ${secret}\ncatalog: c`,
    ]) {
      const found = connectionOf(output)!
      expect(JSON.stringify(found.fields)).not.toContain(secret)
      expect(JSON.stringify(found.fields)).toMatch(/\$\{(?:SHOP_(?:PASSWORD|TOKEN)|X)\}/)
    }
  })

  test.each([
    [
      'bigquery',
      'method: service-account\nproject: p\ndataset: d\nkeyfile: /k.json',
      { project: 'p', dataset: 'd', credentials_path: '/k.json' },
    ],
    [
      'redshift',
      'host: h\nuser: u\ndbname: d\nport: 5439\npassword: "{{ env_var(\'P\') }}"',
      { host: 'h', user: 'u', database: 'd', port: 5439, password: '${P}' },
    ],
    ['duckdb', 'path: shop.duckdb\nextensions: [httpfs]', { path: 'shop.duckdb' }],
    ['trino', 'host: h\nuser: u\ndatabase: c\nschema: s', { host: 'h', user: 'u', catalog: 'c', schema: 's' }],
    ['sqlserver', 'server: h\nport: 1433\ndatabase: d\nuser: u', { host: 'h', port: 1433, database: 'd', user: 'u' }],
  ])('maps the fields of %s', (type, output, fields) => {
    expect(connectionOf(`type: ${type}\n${output}`)?.fields).toEqual(fields)
  })

  test('reports an unsupported database as such', () => {
    expect(connectionOf('type: oracle\nhost: h')).toMatchObject({ type: 'oracle', kind: undefined, fields: {} })
  })

  test('is rejected immediately if it is malformed', () => {
    const bomb = `a: &a [x]\n${Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*a,*a,*a,*a,*a,*a,*a,*a,*a]`).join('\n')}`
    for (const text of ['', 'shop: 3', 'shop: { outputs: [1] }', bomb, '['.repeat(50_000), 'x'.repeat(100_000)])
      expect(dbtConnection(text, 'shop', { kinds, name: 'shop' })).toBeUndefined()
    expect(connectionOf('type: postgres\nhost: "{% set x = 1 %}"\ndbname: [1]\nuser: { a: 1 }')?.fields).toEqual({})
  })
})
