import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { semanticPages } from './dbt-semantic-pages.ts'
import { semanticsOfManifest, semanticsOfYaml, type SemanticLayer } from './dbt-semantics.ts'
import { collectPages } from './page.ts'

const OLD = `
semantic_models:
  - name: orders
    description: One row per order.
    model: ref('fct_orders')
    defaults: { agg_time_dimension: ordered_at }
    entities:
      - { name: order, type: primary, expr: order_id }
      - { name: customer, type: foreign, expr: customer_id }
    dimensions:
      - { name: ordered_at, type: time, type_params: { time_granularity: day } }
      - { name: status, type: categorical, expr: order_status, description: 'open | paid' }
    measures:
      - { name: amount, agg: sum, expr: amount_cents / 100.0 }
      - { name: order_count, agg: count, expr: '1' }
      - { name: buyers, agg: count_distinct, expr: customer_id }
  - name: customers
    model: ref('shop', 'dim_customers')
    entities: [{ name: customer, type: primary, expr: id }]
    dimensions: [{ name: region, type: categorical }]
    measures: [{ name: balance, agg: sum, non_additive_dimension: { name: day, window_choice: max } }]
metrics:
  - name: revenue
    label: Revenue
    description: Money that came in.
    type: simple
    type_params: { measure: { name: amount, fill_nulls_with: 0 } }
    filter: "{{ Dimension('order__status') }} = 'paid'"
  - name: average_order
    type: ratio
    type_params: { numerator: revenue, denominator: { name: orders, filter: "{{ Dimension('order__status') }} <> 'test'" } }
  - { name: orders, type: simple, type_params: { measure: order_count } }
  - { name: debt, type: simple, type_params: { measure: balance } }
  - { name: debt_share, type: ratio, type_params: { numerator: debt, denominator: revenue } }
  - name: growth
    type: derived
    type_params:
      expr: revenue - before
      metrics: [{ name: revenue }, { name: revenue, alias: before, offset_window: 1 month }]
  - name: month_to_date
    type: cumulative
    type_params: { measure: amount, cumulative_type_params: { grain_to_date: month, period_agg: last } }
  - name: visit_to_buy
    type: conversion
    type_params:
      conversion_type_params:
        { entity: customer, calculation: conversion_rate, base_measure: order_count, conversion_measure: buyers, window: 7 days }
saved_queries:
  - name: weekly
    description: For Mondays.
    query_params:
      metrics: [revenue]
      group_by: ["TimeDimension('metric_time', 'week')", "Dimension('order__status')"]
      where: ["{{ TimeDimension('order__ordered_at', 'day') }} >= '2026-01-01'"]
`

const NEW = `
models:
  - name: fct_orders
    description: One row per order.
    semantic_model: { enabled: true, name: orders }
    agg_time_dimension: ordered_at
    columns:
      - { name: order_id, entity: { type: primary, name: order } }
      - { name: customer_id, entity: { type: foreign, name: customer } }
      - { name: ordered_at, granularity: day, dimension: { type: time } }
      - { name: order_status, description: 'open | paid', dimension: { type: categorical, name: status } }
      - { name: note }
    metrics:
      - { name: revenue, label: Revenue, description: Money that came in., type: simple, agg: sum, expr: amount_cents / 100.0, fill_nulls_with: 0, filter: "{{ Dimension('order__status') }} = 'paid'" }
      - { name: orders, type: simple, agg: count, expr: 1 }
      - { name: p95, type: simple, agg: percentile, expr: amount, percentile: 0.95, agg_time_dimension: paid_at }
  - name: dim_customers
    semantic_model: true
    columns: [{ name: id, entity: { type: primary, name: customer } }]
  - name: plain
    semantic_model: { enabled: false }
metrics:
  - { name: average_order, type: ratio, numerator: revenue, denominator: { name: orders, filter: "{{ Dimension('order__status') }} <> 'test'" } }
  - { name: growth, type: derived, expr: revenue - before, input_metrics: [{ name: revenue }, { name: revenue, alias: before, offset_window: 1 month }] }
  - { name: month_to_date, type: cumulative, input_metric: revenue, grain_to_date: month, period_agg: last }
  - { name: visit_to_buy, type: conversion, entity: customer, calculation: conversion_rate, base_metric: orders, conversion_metric: revenue, window: 7 days }
`

const tables = new Map([
  ['fct_orders', 'mart.fct_orders'],
  ['dim_customers', 'mart.dim_customers'],
])
const written = (layer: SemanticLayer): Map<string, string> => {
  const pages = collectPages()
  for (const { parts, ...page } of semanticPages(layer)) pages.add(page, parts)
  return new Map(pages.done().pages.map(({ folder, title, text }) => [`${folder}/${title}`, text]))
}
const yaml = (text: string) => written(semanticsOfYaml([parse(text)], (model) => tables.get(model)))

describe('the metrics of a dbt project', () => {
  test('show their definition, column and table, dimensions, and how to join', () => {
    expect(yaml(OLD).get('metrics/revenue')).toBe(`# Revenue

The dbt metric \`revenue\`, simple.

Money that came in.

- Formula: \`sum(amount_cents / 100.0)\`
- Empty as: 0
- Only where: \`order_status = 'paid'\`
- Table: mart.fct_orders (semantic model \`orders\`)
- Time: \`ordered_at\`, by day or longer
- By: ordered_at, status (order_status)
- Join: \`mart.fct_orders.customer_id = mart.dim_customers.id\`, many to one
`)
  })

  test('are the same if they are written inside the models, as in newer dbt releases', () => {
    const [old, now] = [yaml(OLD), yaml(NEW)]
    for (const page of ['metrics/revenue', 'metrics/orders', 'metrics/average_order', 'metrics/growth'])
      expect(now.get(page), page).toBe(old.get(page))
    expect(now.get('metrics/p95')).toContain('`percentile(amount, 0.95)`')
    expect(now.get('metrics/p95')).toContain('- Time: `paid_at`')
    expect([...now.keys()].filter((page) => page.startsWith('semantic_models/'))).toEqual([
      'semantic_models/orders',
      'semantic_models/dim_customers',
    ])
    expect(now.get('semantic_models/orders')).toContain(
      String.raw`| order__status | categorical | order_status | open \| paid |`,
    )
  })

  test('list the metrics they are derived from, with formulas, filters and offsets', () => {
    const pages = yaml(OLD)
    expect(pages.get('metrics/average_order')).toContain(
      [
        '- Formula: `revenue / orders`',
        "- numerator `revenue`: `sum(amount_cents / 100.0)`, only where `order_status = 'paid'`",
        "- denominator `orders`: `count(*)`, only where `order_status <> 'test'`",
        '- Table: mart.fct_orders',
      ].join('\n'),
    )
    expect(pages.get('metrics/growth')).toContain('- Formula: `revenue - before`')
    expect(pages.get('metrics/growth')).toContain('as `before`')
    expect(pages.get('metrics/growth')).toContain('1 month earlier')
    expect(pages.get('metrics/month_to_date')).toContain('- To date: month\n- Within a period: last')
    expect(pages.get('metrics/month_to_date')).toContain('- `amount`: `sum(amount_cents / 100.0)`\n')
    expect(pages.get('metrics/visit_to_buy')).toMatch(/base `order_count`.*\n- conversion `buyers`.*distinct/)
    expect(pages.get('metrics/visit_to_buy')).toContain(
      '- Window: 7 days\n- Entity: customer\n- Calculation: conversion_rate',
    )
    expect(yaml(NEW).get('metrics/visit_to_buy')).toContain('base `orders`')
    expect(pages.get('metrics/debt')).toContain('- Not added up over time: max of day')
    expect(pages.get('metrics/debt_share')).toContain('numerator `debt`: `sum(balance)` of mart.dim_customers')
    expect(pages.get('metrics/debt_share')).toContain('- Tables: ')
    expect(pages.get('saved_queries/weekly')).toContain(
      "- Metrics: revenue\n- By: metric_time by week, order__status\n- Only where: `ordered_at >= '2026-01-01'`",
    )
  })

  test('are read from dbt manifests, with their database table names', () => {
    const layer = {
      semantic_models: [
        {
          name: 'orders',
          node_relation: { alias: 'fct_orders', schema_name: 'mart', relation_name: '"dev"."mart"."fct_orders"' },
          defaults: { agg_time_dimension: 'ordered_at' },
          entities: [{ name: 'order', type: 'primary', expr: 'order_id' }],
          dimensions: [{ name: 'ordered_at', type: 'time', type_params: { time_granularity: 'DAY' } }],
          measures: [{ name: 'amount', agg: 'average', expr: null }],
        },
      ],
      metrics: [
        {
          name: 'size',
          type: 'simple',
          type_params: { measure: { name: 'amount', filter: null } },
          filter: { where_filters: [{ where_sql_template: "{{ Dimension('order__x') }} = 1" }] },
        },
        {
          name: 'rows',
          type: 'simple',
          type_params: { expr: '1', metric_aggregation_params: { semantic_model: 'orders', agg: 'count', expr: null } },
        },
        {
          name: 'window',
          type: 'cumulative',
          type_params: {
            measure: { name: 'amount', filter: null, fill_nulls_with: null },
            numerator: null,
            metrics: [],
            window: { count: 28, granularity: 'day' },
            conversion_type_params: null,
            cumulative_type_params: { window: null, grain_to_date: null, period_agg: 'first', metric: null },
          },
        },
        {
          name: 'rate',
          type: 'ratio',
          type_params: { measure: null, numerator: { name: 'size', filter: null }, denominator: { name: 'rows' } },
        },
        { name: 'off', type: 'simple', type_params: { measure: 'amount' }, config: { enabled: false } },
        {
          name: 'late',
          type: 'cumulative',
          type_params: { measure: { name: 'amount' }, window: { count: 7, granularity: 'day' } },
        },
      ],
    }
    const pages = written(semanticsOfManifest(layer))
    expect(pages.get('metrics/size')).toContain(
      '- Formula: `avg(amount)`\n- Only where: `x = 1`\n- Table: mart.fct_orders',
    )
    expect(pages.get('metrics/size')).toContain('- Time: `ordered_at`, by day or longer')
    expect(pages.get('metrics/rows')).toContain('- Formula: `count(*)`')
    expect(pages.get('metrics/late')).toContain('- Window: 7 day')
    expect(pages.get('metrics/window')).toContain('- Window: 28 day\n- Within a period: first')
    expect(pages.get('metrics/rate')).toContain('- Formula: `size / rows`')
    expect(pages.has('metrics/off')).toBe(false)
    const byId = { semantic_models: { a: layer.semantic_models[0] }, metrics: { b: layer.metrics[0] } }
    expect(written(semanticsOfManifest(byId)).get('metrics/size')).toBe(pages.get('metrics/size'))
  })

  test('parsing terminates for cycles, missing references and invalid entries', () => {
    const pages = yaml(`
metrics:
  - { name: a, type: derived, type_params: { expr: b, metrics: [b] } }
  - { name: b, type: derived, type_params: { expr: a, metrics: [a, ghost] } }
  - { name: c, type: ratio }
  - 7
  - { type: simple }
semantic_models: { a: 1 }
models: [null, { name: x, semantic_model: { enabled: true }, columns: [3, { name: y, dimension: null }] }]
`)
    expect(pages.get('metrics/a')).toContain('- Formula: `b`')
    expect(pages.get('metrics/c')).toContain('unknown / unknown')
    expect(pages.has('semantic_models/x')).toBe(true)
  })
})
