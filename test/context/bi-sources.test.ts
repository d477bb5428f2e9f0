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

  test('is read from the YAML where dbt wrote none into its manifest, with the tables that the manifest knows', async () => {
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

  test('is there without a manifest, which is named, and a file that is not YAML is named too', async () => {
    desk.write('dbt/models/orders.yml', YAML)
    desk.write('dbt/models/broken.yml', 'metrics:\n  - {{ loop }}: [\n')
    desk.write('dbt/dbt_packages/other/metrics.yml', 'metrics: [{ name: not_ours, type: simple }]')
    const output = await desk.sync()
    expect(output.skipped.map(({ item, message }) => `${item}: ${message}`)).toEqual([
      expect.stringMatching(/^models\/broken\.yml: it is/),
      expect.stringContaining('target/manifest.json: it is not there, so only metrics are'),
    ])
    expect(pages()).toEqual(['docs/dbt/dbt/metrics/revenue.md', 'docs/dbt/dbt/semantic_models/orders.md'])
  })

  test('a manifest that is a link to elsewhere is not read', async () => {
    desk.write('../elsewhere/manifest.json', JSON.stringify({ nodes: { a: node } }))
    mkdirSync(desk.path('dbt'))
    symlinkSync('../../elsewhere', desk.path('dbt/target'))
    expect((await desk.sync()).failures[0]?.message).toContain('symbolic link')
    expect(pages()).toEqual([])
    rmSync(desk.path('dbt/target'))
  })
})
