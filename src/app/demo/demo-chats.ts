import type { DemoQuery, DemoTurn } from './demo-analyst.ts'

// Statements that both engines of the example support.
const MONTHLY = `SELECT substr(CAST(p.paid_at AS VARCHAR), 1, 7) AS month,
  round((sum(p.amount_cents) - coalesce(sum(r.amount_cents), 0)) / 100.0, 2) AS revenue,
  count(*) AS payments
FROM payments p LEFT JOIN refunds r ON r.payment_id = p.id
GROUP BY 1 ORDER BY 1`
const BY_CATEGORY = `SELECT pr.category, round(sum(l.quantity * l.unit_cents) / 100.0, 2) AS revenue
FROM order_lines l JOIN products pr ON pr.id = l.product_id JOIN payments p ON p.order_id = l.order_id
GROUP BY 1 ORDER BY 2 DESC`
const ALL_ORDERS = 'SELECT count(*) AS orders FROM orders'

export const REVENUE: DemoTurn = {
  question: 'How did revenue develop, month by month?',
  steps: [
    () => ({ tool: 'execute_sql', input: { sql: MONTHLY, database: 'shop' } }),
    ({ id }) => ({
      tool: 'display_chart',
      input: { query_id: id, kind: 'line', x: 'month', y: ['revenue'], title: 'Revenue by month' },
    }),
    ({ id }) => ({
      tool: 'story',
      input: { action: 'create', slug: 'revenue', title: 'Revenue by month', text: revenueStory(id) },
    }),
  ],
  say(query) {
    const [first, last] = [query.rows[1], query.rows.at(-2)]
    return first === undefined || last === undefined
      ? 'Nothing to report yet.'
      : `Revenue is what was paid, net of refunds, in the month of the payment. It grew from ${cited(query, first, 2)} in ${first[0]} to ${cited(query, last, query.rows.length - 1)} in ${last[0]}, the last whole month. I put the chart into a story.`
  },
}

export const CATEGORIES: DemoTurn = {
  question: 'Which kinds of products bring the most?',
  steps: [
    () => ({ tool: 'execute_sql', input: { sql: BY_CATEGORY, database: 'shop' } }),
    ({ id }) => ({
      tool: 'display_chart',
      input: { query_id: id, kind: 'bar', x: 'category', y: ['revenue'], title: 'Revenue by kind of product' },
    }),
  ],
  say(query) {
    const [most] = query.rows
    return most === undefined
      ? 'Nothing was sold yet.'
      : `Of what was paid, ${most[0]} brought the most: ${cited(query, most, 1)}.`
  },
}

/** A turn that deliberately counts too much: the example shows the effect of a downvote. */
export const ORDERS: DemoTurn = {
  question: 'How many orders did we have?',
  steps: [() => ({ tool: 'execute_sql', input: { sql: ALL_ORDERS, database: 'shop' } })],
  say: (query) => `There are ${cited(query, query.rows[0] ?? ['', ''], 1, 0)} orders.`,
}

const cited = ({ id }: DemoQuery, row: readonly string[], at: number, cell = 1): string => {
  const number = Number((row[cell] ?? '').replaceAll(',', ''))
  const text = number.toLocaleString('en-US', { maximumFractionDigits: 0 })
  return `[${text}](${id}.${cell === 0 ? 'orders' : 'revenue'}.${at})`
}

const revenueStory = (id: string): string => `# Revenue by month

Revenue is what was paid, net of refunds, in the month of the payment.

<chart query="${id}" kind="line" x="month" y="revenue" title="Revenue by month"/>

## The months

<table query="${id}" limit="14"/>
`
