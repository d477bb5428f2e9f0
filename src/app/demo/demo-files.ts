/** The example's files beside its compiled sources, by path. */
export const DEMO_FILES: Readonly<Record<string, string>> = {
  'RULES.md': `# Rules

- Revenue is what was paid, net of refunds, in the month of the payment.
- Amounts are kept in cents; show them in euros.
- A month that is not over is not compared with one that is.
`,
  'handbook/market-days.md': `# Market days

## Times

Orders close on Friday at noon. Farmers pack on Saturday from five in the morning, vans leave at seven.

## Slots

One delivery slot is two hours. The slots of the last week of December open on the first.

## When a plan is late

Nobody has decided yet how long drivers wait before they take the plan of yesterday.
`,
  'agent/skills/monthly-report.md': `---
name: monthly-report
description: Revenue, orders and returning customers of a month, as a story.
---

Take the last whole month. Say revenue first, then orders that were paid, then the share of customers who came back
within 60 days. Compare with the month before and with the same month of last year.
`,
  'queries/came-back.sql': `-- question: Which share of customers bought again within 60 days?
SELECT count(DISTINCT later.customer_id) * 100.0 / count(DISTINCT one.customer_id) AS came_back
FROM orders one
LEFT JOIN orders later
  ON later.customer_id = one.customer_id AND later.id > one.id
WHERE one.status = 'delivered'
`,
  'tests/record.yaml': `# yaml-language-server: $schema=.schema.json
- name: A broker for jobs is caught
  kind: decision
  tags: [record]
  proposal: Move background jobs to RabbitMQ so that workers scale on their own
  surfaces: [Background jobs in a Postgres table]
  rejected: [RabbitMQ]

- name: Fonts are no business of the record
  kind: decision
  tags: [record]
  proposal: Choose a font for the printed Christmas cards
  verdict: none

- name: What revenue is stands in a small brief
  kind: context
  tags: [finance]
  budget: 1500
  for: a report of revenue by month
  facts: [net of refunds]

- name: Finds why the report moved to the replica
  kind: retrieval
  tags: [memory]
  query: why do reports read from the replica
  wanted: [D21]
  at: 5

- name: The late plan is in the handbook
  kind: retrieval
  tags: [memory]
  query: what do drivers do when the delivery plan is late
  wanted: [market-days.md]
  at: 3
`,
  'tests/answers.yaml': `# yaml-language-server: $schema=.schema.json
- name: Revenue by month
  kind: sql
  tags: [finance]
  prompt: How did revenue develop, month by month?
  database: shop
  sql: |
    SELECT substr(CAST(p.paid_at AS VARCHAR), 1, 7) AS month,
      round((sum(p.amount_cents) - coalesce(sum(r.amount_cents), 0)) / 100.0, 2) AS revenue
    FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id
    GROUP BY 1 ORDER BY 1

- name: Orders without those that were cancelled
  kind: sql
  tags: [finance]
  prompt: How many orders did we have?
  database: shop
  sql: SELECT count(*) AS orders FROM orders WHERE status <> 'cancelled'
`,
  'src/db/connect.ts':
    'export const primary = process.env.DATABASE_URL\nexport const replica = process.env.REPLICA_URL\n',
  'src/session.ts': `import { primary } from './db/connect.ts'

/** True while the session is not revoked. */
export async function isAlive(id: string): Promise<boolean> {
  const [row] = await query(primary, 'SELECT 1 FROM revoked WHERE session = $1', [id])
  return row === undefined
}
`,
  'src/ledger/post.ts': `/** Every booking is two rows that cancel out, in cents. */
export const post = (from: string, to: string, cents: number) => [
  { account: from, cents: -cents },
  { account: to, cents },
]
`,
  'src/jobs/take.ts': "export const TAKE = 'SELECT id FROM jobs WHERE due <= now() FOR UPDATE SKIP LOCKED LIMIT 1'\n",
  'src/mail/outbox.ts': "export const OUTBOX = 'INSERT INTO outbox (order_id, template) VALUES ($1, $2)'\n",
  'src/forms/order-form.ts': 'export const orderForm = { name: [1, 120], slot: [1, 20] } as const\n',
  'src/search/products.ts': "export const SEARCH = 'SELECT id FROM products WHERE words @@ websearch_to_tsquery($1)'\n",
  'src/pictures/shrink.ts': 'export const WIDEST = 1200\nexport const MOST_BYTES = 200_000\n',
  'src/planner/plan.ts': 'export const IMPROVE_FOR_SECONDS = 7200\n',
  'src/reports/connection.ts': "export { replica as connection } from '../db/connect.ts'\n",
  'src/shop/list.ts': 'export const LIST_SECONDS = 60\n',
  'src/orders/close.ts': "export const CLOSE = 'UPDATE orders SET closed_at = now() WHERE id = $1'\n",
  '.gitignore': 'outputs/\n.env\n',
}

/** The example's notes, oldest first. */
export const DEMO_NOTES: readonly { readonly daysAgo: number; readonly content: string; readonly target?: 'memory' }[] =
  [
    {
      daysAgo: 44,
      content: 'The provider of mail answers slowly on Saturdays between nine and eleven; batches of 50 are fine.',
      target: 'memory',
    },
    {
      daysAgo: 20,
      content: 'Drill of October: 41 minutes, most of it for the pictures. Look at it again after the move to files.',
    },
    {
      daysAgo: 7,
      content: 'The stand in the north closes at the end of the year. Ask the two carriers that Birch Hill uses.',
    },
  ]

/** Memories of the example's user. */
export const DEMO_MEMORIES = ['Always show amounts in euros.', 'I look after the ledger and the reports.'] as const
