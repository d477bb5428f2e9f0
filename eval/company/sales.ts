import {
  code,
  composite,
  date,
  enumOf,
  flag,
  int,
  json,
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
  textDate,
  type Column,
} from './define.ts'

const order = (): Record<string, Column> => ({
  customer_id: ref('crm.customers.id'),
  status_id: made('smallint', ({ i, next }) => 1 + (i < 7 ? i : Math.floor(next() ** 0.8 * 7)), {
    about: 'see ref.order_status',
  }),
  ordered_at: stamp('2024-01-01 06:12:00', '2026-06-30 22:41:00'),
  total_cents: int(990, 780_000, { about: 'gross total in euro cents, shipping included' }),
})

/** Tables from the cart to the return. */
export const SALES = [
  table('sales.channels', 5, undefined, {
    id: serial(),
    code: text(({ i }) => ['WEB', 'APP', 'STORE', 'PHONE', 'MARKETPLACE'][i]!),
    is_online: made('boolean', ({ i }) => [true, true, false, false, true][i]!),
  }),
  table('sales.stores', 18, 'Our shops.', {
    id: serial(),
    name: text(
      ({ i }) =>
        `Filiale ${['Augsburg', 'Bremen', 'Celle', 'Dresden', 'Essen', 'Fulda'][i % 6]!} ${1 + Math.floor(i / 6)}`,
    ),
    region_id: ref('ref.regions.id'),
    manager_id: ref('hr.employees.id', { declared: false, about: 'employee who runs the shop' }),
    floor_sqm: int(120, 1_900, { about: 'sales floor in square metres' }),
    opened_on: textDate('DD.MM.YYYY', '2009-03-14', '2025-09-05', { about: 'Eröffnung, TT.MM.JJJJ' }),
    closed_on: textDate('DD.MM.YYYY', '2022-06-30', '2026-01-31', { none: 0.8 }),
  }),
  table('sales.discounts', 30, undefined, {
    id: serial(),
    code: code('SAVE', 2),
    kind: enumOf('sales.discount_kind', ['percent', 'amount', 'free_shipping']),
    value: money(0, 50, { about: 'percent or EUR, depending on kind' }),
    valid_until: date('2024-06-30', '2026-12-31', { instead: ['2099-12-31', 0.3], about: '2099-12-31 = no end' }),
  }),
  table(
    'sales.orders',
    2600,
    'Customer orders. Test orders of our own staff have is_test = true and count nowhere.',
    {
      id: serial(),
      order_no: code('A', 7),
      ...order(),
      channel_id: ref('sales.channels.id'),
      store_id: ref('sales.stores.id', { none: 0.7, about: 'only for orders of channel STORE' }),
      billing_address_id: ref('crm.addresses.id'),
      shipping_address_id: ref('crm.addresses.id', { slot: 'shipping' }),
      sales_rep_id: ref('hr.employees.id', { none: 0.6 }),
      currency: ref('ref.currencies.code', { type: 'char(3)', declared: false }),
      shipping_cents: pick([0, 490, 990], { about: 'euro cents' }, 'integer'),
      promised_on: date('2024-01-04', '2026-07-10', { none: 0.1, about: 'delivery date we promised' }),
      meta: json(({ from, who }) => ({
        device: from(['ios', 'android', 'desktop']),
        utm: { source: from(['google', 'newsletter', 'direct']) },
        gift: false,
        contact: { email: who.values.email },
      })),
      external_ref: text(({ i }) => String(4_000_000_000_000_000 + i * 10 + 1), {
        none: 0.5,
        about: 'number at the marketplace; 16 digits, not a card',
      }),
      is_test: flag(0.02),
      updated_at: stamp('2024-01-01 07:00:00', '2026-06-30 23:10:00'),
    },
    {
      joins: [
        { columns: ['status_id'], to: 'ref.order_status', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'sales.order_lines',
    5200,
    undefined,
    {
      order_id: made('integer', ({ i }) => 1 + (i % 2600)),
      line_no: made('smallint', ({ i }) => 1 + Math.floor(i / 2600)),
      variant_id: ref('pim.product_variants.id'),
      quantity: int(1, 12, {}, 'smallint'),
      unit_price_cents: int(490, 149_900, { about: 'net price of one piece in euro cents' }),
      discount_pct: ratio(0, 0.5, { about: 'fraction, 0.1 is 10 percent' }),
      tax_rate_id: ref('ref.tax_rates.id'),
    },
    {
      key: ['order_id', 'line_no'],
      checks: ['quantity > 0'],
      joins: [composite('order_id', 'sales.orders', 'id')],
    },
  ),
  table(
    'sales.order_status_history',
    2400,
    undefined,
    {
      id: serial(),
      order_id: ref('sales.orders.id'),
      old_status: made('smallint', ({ from }) => from([1, 2, 3]), { none: 0.2 }),
      new_status: made('smallint', ({ from }) => from([2, 3, 4, 5, 6, 7])),
      changed_at: made(
        'timestamptz',
        ({ i, next }) =>
          `${new Date(Date.UTC(2024, 0, 2) + (i < 2 ? i : next()) * 78e9).toISOString().slice(0, 19)}+00`,
      ),
      changed_by: text(({ who }) => who.values.username, { about: 'login of the person, or system' }),
    },
    {
      joins: [
        { columns: ['old_status'], to: 'ref.order_status', toColumns: ['id'], declared: false, cardinality: 'n:1' },
        { columns: ['new_status'], to: 'ref.order_status', toColumns: ['id'], declared: false, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'sales.order_discounts',
    500,
    undefined,
    {
      order_id: made('integer', ({ i }) => 1 + ((i * 5) % 2600)),
      discount_id: made('integer', ({ i }) => 1 + (i % 30)),
      saved_cents: int(100, 12_000, { about: 'euro cents' }),
    },
    {
      key: ['order_id', 'discount_id'],
      joins: [composite('order_id', 'sales.orders', 'id'), composite('discount_id', 'sales.discounts', 'id')],
    },
  ),
  table('sales.carts', 700, undefined, {
    id: made('uuid', ({ i }) => `00000000-0000-4000-8000-${String(i + 1).padStart(12, '0')}`),
    customer_id: ref('crm.customers.id', { none: 0.5 }),
    state: pick(['open', 'ordered', 'abandoned']),
    order_id: ref('sales.orders.id', { none: 0.6 }),
    created_at: stamp('2026-01-01', '2026-06-30 23:59:00'),
  }),
  table('sales.cart_items', 1200, undefined, {
    id: serial(),
    cart_id: ref('sales.carts.id', { type: 'uuid' }),
    variant_id: ref('pim.product_variants.id'),
    quantity: int(1, 6, {}, 'smallint'),
  }),
  table('sales.returns', 320, 'Retouren', {
    id: serial(),
    return_no: code('R', 6),
    order_id: ref('sales.orders.id'),
    reason: pick(['too large', 'damaged', 'wrong item', 'changed mind', 'unknown'], {
      about: 'unknown when the customer gave none',
    }),
    state: pick([0, 1, 2, 3], { about: '0 = announced, 1 = received, 2 = refunded, 3 = refused' }),
    received_on: date('2024-02-01', '2026-06-27', { none: 0.2 }),
  }),
  table(
    'sales.return_lines',
    400,
    undefined,
    {
      return_id: made('integer', ({ i }) => 1 + (i % 320)),
      seq: made('smallint', ({ i }) => 1 + Math.floor(i / 320)),
      order_id: of('sales.order_lines.order_id'),
      line_no: of('sales.order_lines.line_no', 'smallint'),
      quantity: int(1, 3, {}, 'smallint'),
      is_resalable: flag(0.8, { about: 'can be sold again as new' }),
    },
    {
      key: ['return_id', 'seq'],
      joins: [composite('return_id', 'sales.returns', 'id'), composite('order_id line_no', 'sales.order_lines')],
    },
  ),
  table('sales.quotes', 260, undefined, {
    id: serial(),
    quote_no: code('Q-', 5),
    customer_id: ref('crm.customers.id'),
    opportunity_id: ref('crm.opportunities.id', { none: 0.3 }),
    state: enumOf('sales.quote_state', ['draft', 'sent', 'accepted', 'declined', 'expired']),
    valid_until: date('2024-03-01', '2026-09-30'),
    net_total: money(500, 96_000, { about: 'EUR net' }),
  }),
  table(
    'sales.quote_lines',
    700,
    undefined,
    {
      quote_id: made('integer', ({ i }) => 1 + (i % 260)),
      line_no: made('smallint', ({ i }) => 1 + Math.floor(i / 260)),
      variant_id: ref('pim.product_variants.id'),
      quantity: int(1, 200, {}, 'smallint'),
    },
    { key: ['quote_id', 'line_no'], joins: [composite('quote_id', 'sales.quotes', 'id')] },
  ),
  table('sales.subscriptions', 220, undefined, {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    plan: pick(['basic', 'plus', 'pro']),
    interval_months: pick([1, 3, 12], { about: 'months between two invoices' }),
    mrr_cents: int(900, 49_900, { about: 'monthly recurring revenue in euro cents' }),
    started_on: date('2022-02-01', '2026-06-15'),
    cancelled_on: date('2023-01-31', '2026-06-30', { none: 0.7 }),
  }),
  table(
    'sales.sales_targets',
    96,
    'Umsatzziele je Filiale und Monat',
    {
      store_id: made('integer', ({ i }) => 1 + (i % 16)),
      month: made('char(7)', ({ i }) => `2026-0${1 + Math.floor(i / 16)}`, { about: 'YYYY-MM' }),
      target_eur: money(20_000, 190_000, { about: 'whole euros, gross' }),
    },
    { key: ['store_id', 'month'], joins: [composite('store_id', 'sales.stores', 'id')] },
  ),
  table(
    'sales.orders_2019_backup',
    400,
    'Copy of the orders of 2019 before the move. Do not use.',
    {
      id: serial(),
      ...order(),
      ordered_at: stamp('2019-01-02', '2019-12-30'),
      customer_id: ref('crm.customers.id', { declared: false }),
    },
    { key: [] },
  ),
  table(
    'sales.orders_tmp',
    120,
    undefined,
    {
      id: serial(),
      ...order(),
      customer_id: ref('crm.customers.id', { declared: false }),
    },
    { key: [] },
  ),
  table('sales.gift_cards', 0, 'Planned for autumn.', {
    id: serial(),
    code: code('GC', 8),
    balance_cents: int(0, 10_000),
    customer_id: ref('crm.customers.id'),
  }),
]
