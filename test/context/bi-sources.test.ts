import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const pages = (): string[] =>
  Object.keys(desk.files())
    .filter((path) => path.startsWith('docs/'))
    .sort()

describe('the semantic layer of a dbt project', () => {
  const YAML = `
semantic_models:
  - name: orders
    model: ref('fct_orders')
    measures: [{ name: amount, agg: sum, expr: total }]
metrics:
  - { name: revenue, type: simple, type_params: { measure: amount } }
`
  const node = { unique_id: 'model.shop.fct_orders', resource_type: 'model', name: 'fct_orders', schema: 'mart' }
  beforeEach(() => desk.configure({ name: 'shop', dbt: { path: 'dbt' } }))

  test('is read from the YAML if the manifest has none, with the tables of the manifest', async () => {
    desk.write('dbt/models/orders.yml', YAML)
    desk.write('dbt/target/manifest.json', JSON.stringify({ nodes: { a: { ...node, alias: 'orders_v2' } } }))
    const output = await desk.sync()
    expect(output.failures).toEqual([])
    expect(pages()).toEqual([
      'docs/dbt/dbt/metrics/revenue.md',
      'docs/dbt/dbt/models/fct_orders.md',
      'docs/dbt/dbt/semantic_models/orders.md',
    ])
    expect(desk.read('docs/dbt/dbt/metrics/revenue.md')).toContain('- Table: mart.orders_v2')
  })

  test('works without a manifest, and reports the missing manifest and a file that is not YAML', async () => {
    desk.write('dbt/models/orders.yml', YAML)
    desk.write('dbt/models/broken.yml', 'metrics:\n  - {{ loop }}: [\n')
    desk.write('dbt/dbt_packages/other/metrics.yml', 'metrics: [{ name: not_ours, type: simple }]')
    const output = await desk.sync()
    expect(output.skipped.map(({ item, message }) => `${item}: ${message}`)).toEqual([
      expect.stringMatching(/^models\/broken\.yml: it is/),
      expect.stringContaining('target/manifest.json: it is not there, so models have no SQL'),
    ])
    expect(pages()).toEqual(['docs/dbt/dbt/metrics/revenue.md', 'docs/dbt/dbt/semantic_models/orders.md'])
  })

  test('keeps the models of the manifest if YAML is nested in too many folders, and reports the gap', async () => {
    desk.write('dbt/target/manifest.json', JSON.stringify({ nodes: { a: node } }))
    desk.write(`dbt/${'a/'.repeat(30)}m.yml`, YAML)
    const output = await desk.sync()
    expect(output.skipped).toMatchObject([{ item: 'YAML', message: expect.stringContaining('20 folders deep') }])
    expect(pages()).toEqual(['docs/dbt/dbt/models/fct_orders.md'])
  })

  test('a project next to ken.yaml is read, and ken.yaml is not treated as part of it', async () => {
    desk.write('models/orders.yml', YAML)
    desk.write('tests/metrics.yml', 'metrics: [{ name: expected }]')
    desk.configure({ name: 'shop', dbt: { path: '.' } })
    expect((await desk.sync()).skipped).toMatchObject([{ item: 'target/manifest.json' }])
    expect(pages()).toEqual(['docs/dbt/dbt/metrics/revenue.md', 'docs/dbt/dbt/semantic_models/orders.md'])
    expect((await desk.sync()).due).toEqual([])
  })

  test('a manifest that is a link out of the project is not read', async () => {
    desk.write('../elsewhere/manifest.json', JSON.stringify({ nodes: { a: node } }))
    mkdirSync(desk.path('dbt'))
    symlinkSync('../../elsewhere', desk.path('dbt/target'))
    expect((await desk.sync()).failures[0]?.message).toContain('symbolic link')
    expect(pages()).toEqual([])
    rmSync(desk.path('dbt/target'))
  })
})

describe('a LookML project', () => {
  const VIEW = 'view: orders { sql_table_name: mart.orders ;; measure: revenue { type: sum sql: ${TABLE}.total ;; } }'
  beforeEach(() => desk.configure({ name: 'shop', looker: { path: '../looker' } }))

  test('becomes a page for each view, explore and dashboard, and an unchanged one is not written again', async () => {
    desk.write('../looker/views/orders.view.lkml', VIEW)
    desk.write('../looker/shop.model.lkml', 'connection: "pg" explore: orders {}')
    desk.write('../looker/sales.dashboard.lookml', '- dashboard: sales\n  elements: []\n')
    desk.write('../looker/views/broken.view.lkml', 'view: x {')
    const output = await desk.sync()
    expect(output.skipped).toMatchObject([{ item: 'views/broken.view.lkml', message: 'line 1: a { is not closed' }])
    expect(pages()).toEqual([
      'docs/looker/looker/dashboards/sales.md',
      'docs/looker/looker/explores/orders.md',
      'docs/looker/looker/views/orders.md',
    ])
    desk.write('../looker/views/orders.view.lkml', VIEW.replace('sum', 'max'))
    expect((await desk.sync()).due).toEqual([{ source: 'looker/looker', item: 'orders', reason: 'changed' }])
  })

  test('its secrets do not get into the pages, and links are not followed', async () => {
    desk.write(
      '../looker/manifest.lkml',
      'constant: TOKEN { value: "ghp_0123456789abcdefghijABCDEFGHIJ012345" } view: a { description: "password: hunter2-hunter2" dimension: x { sql: \'ghp_0123456789abcdefghijABCDEFGHIJ012345\' ;; } }',
    )
    desk.write('../other/b.view.lkml', 'view: b {}')
    symlinkSync('../other', desk.path('../looker/more'))
    symlinkSync('../other/b.view.lkml', desk.path('../looker/b.view.lkml'))
    await desk.sync()
    expect(pages()).toEqual(['docs/looker/looker/views/a.md'])
    expect(desk.read('docs/looker/looker/views/a.md')).not.toMatch(/ghp_0|hunter2/)
  })
})

describe('a Cube project', () => {
  test('becomes a page for each cube and view of its data model, and no other part of it is read', async () => {
    desk.write(
      'cube/model/cubes/orders.yml',
      'cubes: [{ name: orders, sql_table: mart.orders, measures: [{ name: n, type: count }] }]',
    )
    desk.write('cube/model/views/all.js', "view('everything', { cubes: [{ join_path: orders, includes: '*' }] })")
    desk.write('cube/other.yml', 'cubes: [{ name: not_of_the_model }]')
    desk.write('cube/.env', 'CUBEJS_DB_PASS=hunter2')
    desk.configure({ name: 'shop', cube: [{ name: 'main', path: 'cube' }] })
    expect((await desk.sync()).failures).toEqual([])
    expect(pages()).toEqual(['docs/cube/main/cubes/orders.md', 'docs/cube/main/views/everything.md'])
    expect(desk.read('docs/cube/main/views/everything.md')).toContain('- `orders` (mart.orders): all members')
  })

  test('a folder without cubes is reported', async () => {
    desk.write('cube/readme.yml', 'a: 1')
    desk.configure({ name: 'shop', cube: { path: 'cube' } })
    expect((await desk.sync()).failures[0]?.message).toContain('has no cubes')
  })
})

test('nothing outside the project is read or fetched before its user trusts it', async () => {
  const stranger = openContextDesk({ METABASE_KEY: 'mb_0123456789abcdefghij=' }, { trusted: false })
  try {
    for (const folder of ['dbt', 'looker', 'cube', 'export']) stranger.write(`../${folder}/a.txt`, '')
    stranger.configure({
      name: 'shop',
      dbt: { path: '../dbt' },
      looker: { path: '../looker' },
      cube: { path: '../cube' },
      metabase: [
        { name: 'api', url: 'https://metabase.example', key: '${METABASE_KEY}' },
        { name: 'export', path: '../export' },
        { name: 'plain', url: 'https://metabase.example', key: 'mb_0123456789abcdefghij=' },
      ],
    })
    const messages = (await stranger.sync()).failures.map(({ message }) => message)
    expect(messages).toEqual([
      expect.stringMatching(/dbt\/dbt is not trusted.*read .*dbt/),
      expect.stringMatching(/looker\/looker is not trusted.*read .*looker/),
      expect.stringMatching(/cube\/cube is not trusted.*read .*cube/),
      expect.stringMatching(/metabase\/api is not trusted.*fetch https:\/\/metabase\.example, take METABASE_KEY/),
      expect.stringMatching(/metabase\/export is not trusted.*read .*export/),
      expect.stringContaining('"key" contains a plain-text secret'),
    ])
  } finally {
    await stranger.close()
  }
})
