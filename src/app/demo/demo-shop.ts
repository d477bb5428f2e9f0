/** A table in the example, with rows as SQL literals. */
export interface ShopTable {
  readonly name: string
  readonly create: string
  readonly rows: readonly (readonly (string | number | boolean | null)[])[]
}

const DAY = 86_400_000
const MONTHS = 14

/** Fourteen months of a small shop up to the day before `today`: the same rows every time, shifted to that date. */
export function shopTables(today: Date): readonly ShopTable[] {
  const next = chance(20_261)
  const first = today.getTime() - MONTHS * 30 * DAY
  const customers = Array.from({ length: 420 }, (_, index) => {
    const joined = first + Math.floor(next() ** 1.4 * MONTHS * 30 * 0.9) * DAY
    return { id: index + 1, joined, city: pick(CITIES, next()), channel: pick(CHANNELS, next() ** 1.6) }
  }).toSorted((a, b) => a.joined - b.joined)
  const products = PRODUCTS.map(([name, category, cents], index) => ({
    id: index + 1,
    name,
    category,
    cents,
    farm: 1 + Math.floor(next() * FARMS.length),
  }))
  const orders = ordersOf(customers, { first, until: today.getTime() - DAY, next })
  const lines = orders.flatMap(({ id }) =>
    Array.from({ length: 1 + Math.floor(next() * 4) }, (_, line) => {
      const product = products[Math.floor(next() ** 1.5 * products.length)]!
      return {
        order: id,
        line: line + 1,
        product: product.id,
        quantity: 1 + Math.floor(next() * 3),
        cents: product.cents,
      }
    }),
  )
  const totals = new Map<number, number>()
  for (const { order, quantity, cents } of lines) totals.set(order, (totals.get(order) ?? 0) + quantity * cents)
  const payments = orders
    .filter(({ status }) => status !== 'cancelled' && status !== 'placed')
    .map(({ id, at }, index) => ({ id: index + 1, order: id, method: pick(METHODS, next()), at: at + next() * DAY }))
  return [
    table(
      'farms',
      FARMS.map(([name, region], index) => [index + 1, name, region, day(first + index * 40 * DAY)]),
    ),
    table(
      'customers',
      customers.map((one) => [one.id, `customer${one.id}@example.com`, one.city, one.channel, day(one.joined)]),
    ),
    table(
      'products',
      products.map((one) => [one.id, one.farm, one.name, one.category, one.cents]),
    ),
    table(
      'orders',
      orders.map((one) => [one.id, one.customer, one.status, one.channel, moment(one.at), totals.get(one.id)!]),
    ),
    table(
      'order_lines',
      lines.map((one) => [one.order, one.line, one.product, one.quantity, one.cents]),
    ),
    table(
      'payments',
      payments.map((one) => [one.id, one.order, one.method, totals.get(one.order)!, moment(one.at)]),
    ),
    table(
      'refunds',
      payments
        .filter(() => next() < 0.028)
        .map((one, index) => [
          index + 1,
          one.id,
          Math.round(totals.get(one.order)! * (0.2 + next() * 0.8)),
          pick(REASONS, next()),
          moment(Math.min(one.at + 4 * DAY * next() + DAY, today.getTime())),
        ]),
    ),
    table(
      'deliveries',
      orders
        .filter(({ status }) => status === 'delivered')
        .map((one, index) => [
          index + 1,
          one.id,
          pick(SLOTS, next()),
          pick(CARRIERS, next() ** 1.3),
          moment(Math.min(one.at + (1 + next() * 2) * DAY, today.getTime())),
          next() < 0.9,
        ]),
    ),
  ]
}

/** Table comments for readers. Not every engine stores them. */
export const SHOP_COMMENTS = [
  "COMMENT ON TABLE orders IS 'One row per order, including cancelled and unpaid ones.'",
  "COMMENT ON COLUMN orders.total_cents IS 'With tax, in cents.'",
  "COMMENT ON COLUMN orders.status IS 'placed, paid, delivered or cancelled.'",
  "COMMENT ON TABLE payments IS 'What was paid. Revenue is the sum of these less refunds, in the month of the payment.'",
  "COMMENT ON TABLE refunds IS 'A refund is a row of its own; payments are never changed.'",
  "COMMENT ON TABLE customers IS 'People with an account.'",
]

const CREATE: Readonly<Record<string, string>> = {
  farms: 'id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, region VARCHAR NOT NULL, joined_on DATE NOT NULL',
  customers: 'id INTEGER PRIMARY KEY, email VARCHAR NOT NULL, city VARCHAR, channel VARCHAR, signed_up DATE NOT NULL',
  products:
    'id INTEGER PRIMARY KEY, farm_id INTEGER REFERENCES farms(id), name VARCHAR NOT NULL, category VARCHAR NOT NULL, price_cents INTEGER NOT NULL',
  orders:
    'id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), status VARCHAR NOT NULL, channel VARCHAR, ordered_at TIMESTAMP NOT NULL, total_cents INTEGER NOT NULL',
  order_lines:
    'order_id INTEGER REFERENCES orders(id), line INTEGER NOT NULL, product_id INTEGER REFERENCES products(id), quantity INTEGER NOT NULL, unit_cents INTEGER NOT NULL, PRIMARY KEY (order_id, line)',
  payments:
    'id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), method VARCHAR NOT NULL, amount_cents INTEGER NOT NULL, paid_at TIMESTAMP NOT NULL',
  refunds:
    'id INTEGER PRIMARY KEY, payment_id INTEGER REFERENCES payments(id), amount_cents INTEGER NOT NULL, reason VARCHAR, refunded_at TIMESTAMP NOT NULL',
  deliveries:
    'id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), slot VARCHAR NOT NULL, carrier VARCHAR NOT NULL, delivered_at TIMESTAMP, on_time BOOLEAN NOT NULL',
}

const FARMS = [
  ['Amselhof', 'north'],
  ['Birch Hill', 'north'],
  ['Low Meadow', 'south'],
  ['Old Mill', 'south'],
  ['Three Oaks', 'east'],
  ['Vineyard Lane', 'west'],
] as const
const CITIES = ['Northport', 'Millbrook', 'Ashford', 'Lindau', 'Easton', 'Westfield', 'Harbour'] as const
const CHANNELS = ['market', 'web', 'friend', 'search'] as const
const METHODS = ['card', 'card', 'invoice', 'wallet'] as const
const REASONS = ['damaged', 'late', 'wrong item', 'too ripe'] as const
const SLOTS = ['06-08', '08-10', '10-12', '16-18', '18-20'] as const
const CARRIERS = ['own van', 'cargo bike', 'pickup'] as const
const PRODUCTS = [
  ['Apples, 2 kg', 'fruit', 620],
  ['Potatoes, 5 kg', 'vegetables', 790],
  ['Eggs, ten', 'dairy and eggs', 480],
  ['Milk, 1 l', 'dairy and eggs', 190],
  ['Carrots, 1 kg', 'vegetables', 260],
  ['Sourdough loaf', 'bread', 590],
  ['Honey, 500 g', 'larder', 890],
  ['Cheese, 300 g', 'dairy and eggs', 740],
  ['Pears, 1 kg', 'fruit', 430],
  ['Salad, one', 'vegetables', 180],
  ['Tomatoes, 1 kg', 'vegetables', 520],
  ['Apple juice, 1 l', 'drinks', 320],
  ['Cider, 0.7 l', 'drinks', 690],
  ['Butter, 250 g', 'dairy and eggs', 390],
  ['Pumpkin, one', 'vegetables', 450],
  ['Jam, 200 g', 'larder', 510],
  ['Rye bread', 'bread', 490],
  ['Box of the week', 'boxes', 2490],
  ['Box for two', 'boxes', 1690],
  ['Plums, 1 kg', 'fruit', 480],
] as const

interface Customer {
  readonly id: number
  readonly joined: number
  readonly channel: string
}

/** Generates orders: more each month, most on Fridays; some customers return every other week and some never. */
function ordersOf(
  customers: readonly Customer[],
  { first, until, next }: { first: number; until: number; next: () => number },
) {
  const found: { customer: number; channel: string; at: number }[] = []
  for (const { id, joined, channel } of customers) {
    const gap = 9 + next() ** 0.7 * 120
    for (let at = Math.max(joined, first) + next() * 5 * DAY; at < until; at += gap * (0.5 + next()) * DAY) {
      const friday = at + ((5 - new Date(at).getUTCDay() + 7) % 7) * DAY
      found.push({ customer: id, channel, at: next() < 0.35 && friday < until ? friday : at })
    }
  }
  return found
    .toSorted((a, b) => a.at - b.at)
    .map((order, index) => {
      const isNew = until - order.at < 2 * DAY
      const draw = next()
      const status =
        draw < 0.04 ? 'cancelled' : isNew ? (draw < 0.5 ? 'placed' : 'paid') : draw < 0.067 ? 'placed' : 'delivered'
      return { ...order, id: index + 1, status }
    })
}

const table = (name: string, rows: ShopTable['rows']): ShopTable => ({
  name,
  create: `CREATE TABLE ${name} (${CREATE[name]})`,
  rows,
})

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
const moment = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ')
const pick = <T>(list: readonly T[], draw: number): T =>
  list[Math.min(list.length - 1, Math.floor(draw * list.length))]!

/** Seeded random numbers from 0 to 1: mulberry32. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
