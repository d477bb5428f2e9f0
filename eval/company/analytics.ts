import {
  date,
  flag,
  int,
  made,
  money,
  of,
  pick,
  ratio,
  ref,
  serial,
  stamp,
  table,
  text,
  type Column,
  type Join,
} from './define.ts'

const NO_KEY = { key: [] }
const hex = (prefix: string, id: number): string =>
  `${prefix}${((id * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, '0')}`
const key = (prefix: string): Column => made('text', ({ i }) => hex(prefix, i + 1), { about: 'surrogate key' })
const join = (column: string, to: string, toColumn: string): Join => ({
  columns: [column],
  to,
  toColumns: [toColumn],
  declared: false,
  cardinality: 'n:1',
})
const to = (name: string, column: string, options = {}): Column =>
  ref(`analytics.${name}.${column}`, { type: 'text', declared: false, ...options })
const day = (last = '2026-06-29'): Column =>
  made(
    'integer',
    ({ i, next }) =>
      Number(
        new Date(
          Date.UTC(2024, 0, 1) +
            Math.floor((i < 2 ? i : next()) * ((Date.parse(last) - Date.UTC(2024, 0, 1)) / 864e5)) * 864e5,
        )
          .toISOString()
          .slice(0, 10)
          .replaceAll('-', ''),
      ),
    { about: 'YYYYMMDD, see dim_date' },
  )
const onDay = join('date_key', 'analytics.dim_date', 'date_key')

const DIMENSIONS = [
  table(
    'analytics.dim_date',
    912,
    'One row per day.',
    {
      date_key: made('integer', ({ i }) =>
        Number(new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10).replaceAll('-', '')),
      ),
      day: made('date', ({ i }) => new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10)),
      month_name: made('text', ({ i }) =>
        new Date(Date.UTC(2024, 0, 1 + i)).toLocaleString('en', { month: 'long', timeZone: 'UTC' }),
      ),
      year: made('smallint', ({ i }) => new Date(Date.UTC(2024, 0, 1 + i)).getUTCFullYear()),
    },
    { ...NO_KEY, joins: [join('day', 'ref.calendar', 'day')] },
  ),
  table(
    'analytics.dim_customer',
    640,
    'Customers as the reports see them; soft-deleted ones are left out of is_active.',
    {
      customer_key: key('c'),
      customer_id: ref('crm.customers.id', { one: true, declared: false }),
      customer_kind: made('text', ({ i, parentAt }) => parentAt('crm.customers', i)['kind']!),
      country_name: pick(['Germany', 'Austria', 'Switzerland', 'France', 'Netherlands']),
      lifecycle: pick(['prospect', 'active', 'at_risk', 'churned'], { about: 'churned: no order for 365 days' }),
      is_active: flag(0.8),
      valid_to: date('2024-12-31', '2026-06-30', {
        instead: ['9999-12-31', 0.7],
        about: '9999-12-31 for the current version',
      }),
    },
    NO_KEY,
  ),
  table(
    'analytics.dim_product',
    700,
    undefined,
    {
      product_key: key('p'),
      sku: ref('pim.product_variants.sku', { one: true, declared: false, type: 'text' }),
      category_name: pick(['Lighting', 'Storage', 'Seating', 'Tools', 'Garden', 'Office']),
      brand_name: pick(['Lumora', 'Kastell', 'Sitwell', 'Petra Line', 'Otto Classic']),
      margin_class: pick(['high', 'medium', 'low'], { about: 'high: over 40 %, medium: over 20 %' }),
    },
    NO_KEY,
  ),
  table(
    'analytics.dim_store',
    18,
    undefined,
    {
      store_key: key('s'),
      store_id: ref('sales.stores.id', { one: true, declared: false }),
      region_name: pick(['Bavaria', 'Hamburg', 'Saxony', 'Vienna']),
      size_class: pick(['S', 'M', 'L'], { about: 'S below 400, L from 1000 square metres' }),
    },
    NO_KEY,
  ),
  table(
    'analytics.dim_employee',
    160,
    undefined,
    {
      employee_key: key('e'),
      employee_id: ref('hr.employees.id', { one: true, declared: false }),
      department_name: pick(['Sales', 'Marketing', 'Finance', 'Logistics', 'IT']),
      tenure_years: int(0, 18, {}, 'smallint'),
    },
    NO_KEY,
  ),
  table(
    'analytics.dim_channel',
    5,
    undefined,
    {
      channel_key: key('h'),
      channel_code: ref('sales.channels.code', { one: true, declared: false, type: 'text' }),
    },
    NO_KEY,
  ),
]

const FACTS = [
  table(
    'analytics.fct_orders',
    2600,
    'One row per order without test orders. Amounts in euros, unlike the source.',
    {
      order_key: key('o'),
      order_id: ref('sales.orders.id', { one: true, declared: false }),
      customer_key: to('dim_customer', 'customer_key'),
      channel_key: to('dim_channel', 'channel_key'),
      store_key: to('dim_store', 'store_key', { none: 0.7 }),
      date_key: day(),
      order_status: pick(['delivered', 'shipped', 'confirmed', 'new', 'cancelled', 'returned']),
      revenue_eur: money(8, 7_600, { about: 'gross revenue in EUR' }),
      is_first_order: flag(0.3),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_order_lines',
    3000,
    undefined,
    {
      order_key: to('fct_orders', 'order_key'),
      product_key: to('dim_product', 'product_key'),
      date_key: day(),
      quantity: int(1, 12, {}, 'smallint'),
      revenue_eur: money(4, 1_800, { about: 'net revenue in EUR' }),
      margin_eur: money(-40, 900, { about: 'EUR; negative = sold below cost' }),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_payments',
    1500,
    undefined,
    {
      payment_id: ref('billing.payments.id', { declared: false, one: true }),
      customer_key: to('dim_customer', 'customer_key'),
      date_key: day(),
      amount_eur: money(9, 7_800, { about: 'EUR' }),
      days_to_pay: int(0, 94),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_shipments',
    1500,
    undefined,
    {
      shipment_id: ref('logistics.shipments.id', { declared: false, one: true }),
      date_key: day(),
      carrier: pick(['DHL', 'DPD', 'Hermes', 'UPS', 'own fleet']),
      days_late: int(-3, 21, { about: 'days after the promised date; negative = early' }),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_sessions',
    1600,
    undefined,
    {
      session_id: ref('web.sessions.id', { declared: false, one: true, type: 'uuid' }),
      date_key: day(),
      pages: int(1, 40, {}, 'smallint'),
      has_purchase: flag(0.05),
      bounce: flag(0.4, { about: 'one page only' }),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_tickets',
    900,
    undefined,
    {
      ticket_number: ref('support.tickets.number', { declared: false, one: true }),
      customer_key: to('dim_customer', 'customer_key'),
      employee_key: to('dim_employee', 'employee_key'),
      date_key: day(),
      first_reply_hours: made('numeric(8,1)', ({ i, next }) => ((i < 2 ? i : next()) * 71.5).toFixed(1), {
        about: 'hours',
      }),
      sla_met: flag(0.82),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_stock_daily',
    2000,
    'Stock at the end of the day.',
    {
      date_key: day(),
      product_key: to('dim_product', 'product_key'),
      warehouse_code: ref('logistics.warehouses.code', { declared: false, type: 'text' }),
      on_hand: int(0, 900),
      value_eur: money(0, 90_000, { about: 'at purchase prices, EUR' }),
    },
    { ...NO_KEY, joins: [onDay] },
  ),
  table(
    'analytics.fct_subscriptions_monthly',
    1200,
    undefined,
    {
      month: made(
        'date',
        ({ i }) => `202${4 + Math.floor((i % 30) / 12)}-${String(1 + ((i % 30) % 12)).padStart(2, '0')}-01`,
        { about: 'first day of the month' },
      ),
      subscription_id: ref('sales.subscriptions.id', { declared: false }),
      customer_key: to('dim_customer', 'customer_key'),
      mrr_eur: money(9, 499, { about: 'EUR per month' }),
      movement: pick(['new', 'expansion', 'contraction', 'churn', 'unchanged']),
    },
    NO_KEY,
  ),
  table(
    'analytics.agg_campaign_performance',
    24,
    undefined,
    {
      campaign_id: ref('crm.campaigns.id', { declared: false, one: true }),
      sent: int(200, 9_000),
      open_rate: ratio(0.05, 0.61, { about: 'fraction of sent' }),
      revenue_eur: money(0, 120_000, { about: 'EUR within 14 days' }),
    },
    NO_KEY,
  ),
  table(
    'analytics.agg_churn_monthly',
    30,
    undefined,
    {
      month: made('date', ({ i }) => `202${4 + Math.floor(i / 12)}-${String(1 + (i % 12)).padStart(2, '0')}-01`),
      segment: pick(['Key accounts', 'Growth', 'Dormant']),
      churn_rate: ratio(0.004, 0.09, { about: 'fraction, monthly' }),
    },
    NO_KEY,
  ),
  table(
    'analytics.metric_definitions',
    6,
    undefined,
    {
      metric: text(({ i }) => ['gross_revenue', 'net_revenue', 'aov', 'churn_rate', 'otif', 'mrr'][i]!),
      definition: text(
        ({ i }) =>
          [
            'Sum of fct_orders.revenue_eur without cancelled orders',
            'Sum of fct_order_lines.revenue_eur',
            'Average order value: gross_revenue / orders',
            'Lost customers / customers at the start of the month',
            'On time in full: share of fct_shipments with days_late <= 0',
            'Monthly recurring revenue',
          ][i]!,
      ),
    },
    NO_KEY,
  ),
  table(
    'analytics.dbt_run_results',
    200,
    'Log of the nightly build.',
    {
      id: serial(),
      model: pick(['fct_orders', 'fct_payments', 'dim_customer', 'mart_customer_ltv']),
      status: pick(['success', 'error', 'skipped']),
      run_at: stamp('2026-05-01 02:00:00', '2026-06-30 02:10:00'),
      seconds: made('double precision', ({ next }) => Math.round(next() * 9000) / 100),
    },
    NO_KEY,
  ),
  table(
    'analytics.seed_region_map',
    10,
    undefined,
    {
      region_id: made('integer', ({ i }) => i + 1),
      territory: pick(['South', 'North', 'West', 'East', 'Alps']),
      manager_employee_id: of('hr.employees.id'),
    },
    { ...NO_KEY, joins: [join('region_id', 'ref.regions', 'id'), join('manager_employee_id', 'hr.employees', 'id')] },
  ),
]

/** Tables built by dbt: dimensions and facts, without declared keys. */
export const ANALYTICS = [...DIMENSIONS, ...FACTS]
