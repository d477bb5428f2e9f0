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
  who,
} from './define.ts'

/** Invoices, payments and the books. */
export const BILLING = [
  table(
    'billing.invoices',
    2200,
    'Invoices to customers.',
    {
      id: serial(),
      invoice_no: code('RE-2', 6),
      order_id: ref('sales.orders.id'),
      customer_id: of('sales.orders.customer_id'),
      state: pick([2, 1, 3, 0, 9], { about: '0 = draft, 1 = open, 2 = paid, 3 = overdue, 9 = cancelled' }),
      issued_on: date('2024-01-02', '2026-06-30'),
      due_on: made(
        'date',
        ({ row }) => new Date(Date.parse(String(row['issued_on'])) + 30 * 864e5).toISOString().slice(0, 10),
        { about: '30 days after issue' },
      ),
      net_amount: money(8, 6_500, { about: 'EUR net' }),
      tax_amount: money(0, 1_235, { about: 'EUR' }),
      currency_code: ref('ref.currencies.code', { type: 'char(3)' }),
      paid_at: made(
        'bigint',
        ({ row, next }) =>
          row['state'] === 2 ? Date.parse(String(row['issued_on'])) + Math.floor(next() * 55) * 864e5 + 36e6 : null,
        { none: 0.0001, about: 'Unix time in milliseconds; empty while unpaid' },
      ),
    },
    { joins: [composite('customer_id', 'crm.customers', 'id')], checks: ['state IN (0, 1, 2, 3, 9)'] },
  ),
  table(
    'billing.invoice_lines',
    3000,
    undefined,
    {
      invoice_id: made('integer', ({ i }) => 1 + (i % 2200)),
      position: made('smallint', ({ i }) => 1 + Math.floor(i / 2200)),
      order_id: of('sales.order_lines.order_id'),
      order_line_no: of('sales.order_lines.line_no', 'smallint'),
      text: text(({ from }) => from(['Goods as delivered', 'Shipping', 'Assembly service'])),
      net_amount: money(1, 1_400, { about: 'EUR net' }),
    },
    {
      key: ['invoice_id', 'position'],
      joins: [
        composite('invoice_id', 'billing.invoices', 'id'),
        composite('order_id order_line_no', 'sales.order_lines', 'order_id line_no'),
      ],
    },
  ),
  table(
    'billing.payment_methods',
    6,
    undefined,
    {
      code: text(({ i }) => ['CC', 'SEPA', 'PP', 'INV', 'CASH', 'GC'][i]!),
      label: text(({ i }) => ['Credit card', 'SEPA direct debit', 'PayPal', 'Invoice', 'Cash', 'Gift card'][i]!),
      fee_pct: { ...ratio(0, 0.029, { about: 'fraction of the amount' }), type: 'domain billing.fraction' },
    },
    { key: ['code'] },
  ),
  table('billing.bank_accounts', 260, 'Bank accounts of customers for SEPA.', {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    holder: who('name'),
    iban: who('iban'),
    bic: pick(['COBADEFF', 'DEUTDEFF', 'INGDDEFF', 'GENODEF1']),
    mandate_signed_on: date('2021-01-11', '2026-06-20'),
  }),
  table('billing.cards', 220, undefined, {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    card_number: who('card', {}, 'char(16)'),
    card_holder: who('name'),
    brand: pick(['visa', 'mastercard', 'amex']),
    expires: made(
      'char(5)',
      ({ next }) => `${String(1 + Math.floor(next() * 12)).padStart(2, '0')}/${27 + Math.floor(next() * 5)}`,
      { about: 'MM/YY' },
    ),
  }),
  table('billing.payments', 1900, 'Money that came in.', {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    method_code: ref('billing.payment_methods.code', { type: 'text' }),
    amount_cents: int(990, 780_000, { about: 'euro cents' }),
    received_at: stamp('2024-01-03 00:10:00', '2026-06-30 21:05:00'),
    status: enumOf('billing.payment_status', ['pending', 'settled', 'failed', 'charged_back']),
    details: json(({ who, row }) =>
      row['method_code'] === 'CC'
        ? { card: { last4: who.values.card.slice(-4), holder: who.values.name }, auth: 'ok' }
        : { iban: who.values.iban, purpose: 'invoice' },
    ),
  }),
  table(
    'billing.payment_allocations',
    1900,
    'Which payment settles which invoice.',
    {
      payment_id: made('integer', ({ i }) => 1 + (i % 1900)),
      invoice_id: made('integer', ({ i }) => 1 + ((i * 3) % 2200)),
      amount_cents: int(500, 300_000, { about: 'euro cents' }),
    },
    {
      key: ['payment_id', 'invoice_id'],
      joins: [composite('payment_id', 'billing.payments', 'id'), composite('invoice_id', 'billing.invoices', 'id')],
    },
  ),
  table('billing.refunds', 160, undefined, {
    id: serial(),
    payment_id: ref('billing.payments.id'),
    return_id: ref('sales.returns.id', { none: 0.3, declared: false }),
    amount: money(5, 900, { about: 'EUR, not cents' }),
    refunded_on: date('2024-02-10', '2026-06-29'),
  }),
  table('billing.credit_notes', 90, 'Gutschriften', {
    id: serial(),
    invoice_id: ref('billing.invoices.id'),
    reason: pick(['goodwill', 'return', 'price error']),
    net_amount: money(3, 800, { about: 'EUR net, positive' }),
    issued_on: date('2024-02-12', '2026-06-28'),
  }),
  table('billing.dunning_runs', 24, 'Mahnläufe', {
    id: serial(),
    run_date: date('2024-07-01', '2026-06-15'),
    created_by: ref('hr.employees.id', { declared: false }),
  }),
  table('billing.dunning_notices', 380, 'Mahnungen', {
    id: serial(),
    run_id: ref('billing.dunning_runs.id'),
    invoice_id: ref('billing.invoices.id'),
    level: pick([1, 2, 3], { about: '1 = Zahlungserinnerung, 2 = Mahnung, 3 = Inkasso (collection agency)' }),
    fee: money(0, 15, { about: 'EUR' }),
  }),
  table(
    'billing.ledger_accounts',
    30,
    'Kontenrahmen SKR03',
    {
      number: made('char(4)', ({ i }) => String(1000 + i * 200)),
      name: text(
        ({ i }) =>
          `${['Kasse', 'Bank', 'Forderungen', 'Verbindlichkeiten', 'Erlöse', 'Wareneinsatz'][i % 6]!} ${i + 1}`,
      ),
      kind: enumOf('billing.account_kind', ['asset', 'liability', 'income', 'expense']),
    },
    { key: ['number'] },
  ),
  table(
    'billing.ledger_entries',
    2400,
    undefined,
    {
      id: serial(),
      account_number: ref('billing.ledger_accounts.number', { type: 'char(4)' }),
      booked_on: date('2024-01-01', '2026-06-30'),
      debit: money(0, 9_000, { about: 'EUR (Soll)' }),
      credit: money(0, 9_000, { about: 'EUR (Haben)' }),
      document_type: pick(['invoice', 'payment', 'credit_note']),
      document_id: made('integer', ({ row, parent }) => parent(`billing.${String(row['document_type'])}s`)['id']!, {
        about: 'id of the document of document_type',
      }),
      batch_no: int(1, 60, { about: 'number on the paper batch' }),
      cost_center: made('text', ({ parent }) => parent('hr.cost_centers')['code']!, {
        none: 0.3,
        about: 'Kostenstelle',
      }),
    },
    {
      joins: [
        { columns: ['cost_center'], to: 'hr.cost_centers', toColumns: ['code'], declared: false, cardinality: 'n:1' },
        ...['invoice', 'payment', 'credit_note'].map((type) => ({
          columns: ['document_id'],
          to: `billing.${type}s`,
          toColumns: ['id'],
          declared: false,
          cardinality: 'n:1' as const,
          when: `document_type = '${type}'`,
        })),
      ],
    },
  ),
  table(
    'billing.exchange_rates',
    540,
    'Rates of the European Central Bank.',
    {
      currency_code: made('char(3)', ({ i }) => ['CHF', 'USD', 'PLN'][i % 3]!),
      day: made('date', ({ i }) => new Date(Date.UTC(2026, 0, 1 + Math.floor(i / 3))).toISOString().slice(0, 10)),
      rate: ratio(0.8, 4.6, { about: 'units of the currency for one euro' }),
    },
    { key: ['currency_code', 'day'], joins: [composite('currency_code', 'ref.currencies', 'code')] },
  ),
  table('billing.tax_reports', 0, 'Umsatzsteuervoranmeldungen, from 2027 on', {
    id: serial(),
    period: made('char(6)', () => '202701'),
    amount: money(0, 1),
    is_final: flag(0),
  }),
]
