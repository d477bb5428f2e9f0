import { describe, expect, test } from 'vitest'
import { lookmlDashboards } from './lookml-dashboards.ts'
import { lookmlPages } from './lookml-pages.ts'
import { readLookmlProject } from './lookml-project.ts'

const pagesOf = (files: Record<string, string>) => {
  const read = lookmlPages(readLookmlProject(Object.entries(files).map(([path, text]) => ({ path, text }))))
  return { ...read, text: new Map(read.pages.map(({ folder, title, text }) => [`${folder}/${title}`, text])) }
}

const ORDERS = `
# A comment with { and "
view: orders {
  sql_table_name: \`shop-prod\`.mart."orders" ;;
  label: "Customer Orders"
  dimension: id { primary_key: yes type: number sql: \${TABLE}.id ;; hidden: yes }
  dimension: status {
    description: "open | paid, never \\"lost\\""
    sql: \${TABLE}.order_status ;;   # after the end
    suggestions: ["open", "paid"]
  }
  dimension: region {}
  dimension: size {
    case: { when: { sql: \${TABLE}.total > 100 ;; label: "large" } else: "small" }
  }
  dimension_group: created { type: time timeframes: [raw, date, month] sql: \${TABLE}.created_at ;; }
  dimension: user_id { hidden: yes type: number }
  dimension: url { sql: 'https://x/#top' -- {% if a %} ; {% endif %}
    || \${TABLE}.path ;; }
  measure: revenue {
    type: sum
    sql: \${TABLE}.total / 100.0 ;;
    filters: [status: "paid", created_date: "7 days"]
    value_format: "$#,##0.00"
    drill_fields: [detail*, -id]
  }
  measure: old_style { type: count filters: { field: status value: "open" } }
  parameter: grain { type: unquoted allowed_value: { label: "Day" value: "day" } allowed_value: { value: "week" } }
  set: detail { fields: [id, users.name, created_date] }
}
`
const USERS = `
view: users {
  sql_table_name: mart.dim_users ;;
  dimension: id { primary_key: yes type: number }
  dimension: name { sql: \${TABLE}.full_name ;; }
}`
const MODEL = `
connection: "warehouse"
include: "/views/*.view"
explore: orders {
  label: "Sales"
  description: "What was sold."
  sql_always_where: \${orders.status} <> 'test' ;;
  always_filter: { filters: [orders.created_date: "30 days"] }
  access_filter: { field: orders.region user_attribute: region }
  join: users { relationship: many_to_one sql_on: \${orders.user_id} = \${users.id} ;; }
  join: sellers { from: users type: inner relationship: one_to_one sql_on: \${orders.created_month} = \${sellers.name} ;; }
  join: facts { foreign_key: orders.user_id }
  join: elsewhere { sql_on: \${orders.id} = \${elsewhere.id} ;; }
}
view: facts {
  derived_table: {
    sql: SELECT user_id, count(*) AS n
      FROM mart.orders -- all of them
      GROUP BY 1 ;;
    datagroup_trigger: nightly
  }
  dimension: user_id { primary_key: yes }
}
view: native { derived_table: { explore_source: orders { column: who { field: users.name } derived_column: rank { sql: rank() over () ;; } } } }
`

describe('LookML', () => {
  const { text, skipped } = pagesOf({
    'models/shop.model.lkml': MODEL,
    'views/orders.view.lkml': ORDERS,
    'views/users.view.lkml': USERS,
  })

  test('a view lists its table and the column, type, values and meaning of each field', () => {
    expect(skipped).toEqual([])
    const orders = text.get('views/orders')!
    expect(orders).toContain('A LookML view of shop-prod.mart.orders, shown as "Customer Orders".')
    expect(orders).toContain('| id | number, primary key, hidden | id |')
    expect(orders).toContain(
      String.raw`| status | string | order_status | open \| paid, never "lost"; values open, paid |`,
    )
    expect(orders).toContain('| region | string | region |')
    expect(orders).toContain('| created | time | created_at | by raw, date, month |')
    expect(orders).toContain('large when total > 100, else small')
    expect(orders).toContain("'https://x/#top'")
    expect(orders).toContain(
      '| revenue | sum | total / 100.0 | only where status is paid and created_date is 7 days; format $#,##0.00 |',
    )
    expect(orders).toContain('| old_style | count |  | only where status is open |')
    expect(orders).toContain('values day, week')
    expect(orders).toContain('- detail: id, users.name, created_date')
  })

  test('an explore lists its joins by database columns', () => {
    expect(text.get('explores/orders')).toBe(`# Sales

The LookML explore \`orders\` of model \`shop\` (connection \`warehouse\`) from shop-prod.mart.orders.

What was sold.

- Always where: \`orders.order_status <> 'test'\`
- Filter that can be changed: orders.created_date is 30 days
- Rows by user: orders.region is region

## Joins

- mart.dim_users as users, left outer, many to one, on \`orders.user_id = users.id\`
- mart.dim_users as sellers (view \`users\`), inner, one to one, on \`orders.created_at = sellers.full_name\`
- derived table of view \`facts\`, left outer, many to one, on \`orders.user_id = facts.user_id\`
- view \`elsewhere\`, left outer, many to one, on \`orders.id = elsewhere.id\`
`)
  })

  test('a derived table shows its SQL unchanged, or the explore it is built from', () => {
    expect(text.get('views/facts')).toContain(
      'Rebuilt by `nightly`.\n\n```sql\nSELECT user_id, count(*) AS n\nFROM mart.orders -- all of them\nGROUP BY 1\n```',
    )
    expect(text.get('views/native')).toContain('From explore `orders`:')
    expect(text.get('views/native')).toContain('| who | users.name |\n| rank | rank() over () |')
  })

  test('refinements are merged in file order and extends are resolved', () => {
    const { text: pages, skipped: faults } = pagesOf({
      'a.view.lkml':
        'view: base { extension: required dimension: id { type: number sql: ${TABLE}.pk ;; } measure: n { type: count } }',
      'b.view.lkml': 'view: orders { extends: [base] sql_table_name: mart.orders ;; dimension: id { hidden: yes } }',
      'c.view.lkml': 'view: +orders { dimension: id { description: "first" } dimension: extra {} }',
      'd.view.lkml': 'view: +orders { dimension: id { description: "second" } } view: +ghost {}',
    })
    expect(pages.get('views/orders')).toContain('A LookML view of mart.orders, extends base.')
    expect(pages.get('views/orders')).toContain('| id | number, hidden | pk | second |')
    expect(pages.get('views/orders')).toContain('| extra |')
    expect(pages.get('views/orders')).toContain('| n | count |')
    expect(pages.get('views/base')).toContain('only to be extended')
    expect(faults).toEqual([{ title: '+ghost', reason: 'it refines what is not here' }])
  })

  test('views that extend each other in a cycle terminate', () => {
    const { text: pages } = pagesOf({
      'a.lkml': 'view: a { extends: [b] dimension: x {} } view: b { extends: [a, b] dimension: y {} }',
    })
    expect(pages.get('views/a')).toContain('| y |')
  })

  test.each([
    ['a quote', 'view: a {\n label: "x\n}', 'line 2: a quote is not closed'],
    ['SQL', 'view: a { sql_table_name: x }', 'sql_table_name is not ended with ;;'],
    ['a block', 'view: a { dimension: b { ', 'a { is not closed'],
    ['a list', 'view: a { fields: [a, b', 'a [ is not closed'],
    ['a closing brace', 'view: a { } }', 'a } that nothing opened'],
    ['a colon', 'view a { }', 'a : should follow "view"'],
  ])('an error in %s is reported with its line, and the other files are read', (_what, bad, reason) => {
    const { text: pages, skipped: faults } = pagesOf({ 'bad.view.lkml': bad, 'good.view.lkml': USERS })
    expect(faults).toEqual([{ title: 'bad.view.lkml', reason: expect.stringContaining(reason) }])
    expect(pages.has('views/users')).toBe(true)
  })

  test('a dashboard lists the queries of its tiles', () => {
    const { pages } = lookmlDashboards([
      {
        path: 'sales.dashboard.lookml',
        text: `- dashboard: sales
  title: Sales overview
  elements:
  - title: Revenue by month
    explore: orders
    type: looker_line
    fields: [orders.created_month, orders.revenue]
    filters: { orders.status: paid }
    sorts: [orders.created_month desc]
  filters:
  - { name: Region, explore: orders, field: orders.region, default_value: EU }
`,
      },
    ])
    expect(pages[0]!.text).toContain(
      '- Revenue by month: explore orders, orders.created_month, orders.revenue; only where orders.status is paid; sorted by orders.created_month desc',
    )
    expect(pages[0]!.text).toContain('- Region (orders: orders.region), EU')
  })
})
