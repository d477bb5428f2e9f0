import {
  code,
  date,
  enumOf,
  flag,
  int,
  json,
  list,
  made,
  money,
  pick,
  ratio,
  ref,
  serial,
  stamp,
  table,
  text,
  type Column,
} from './define.ts'

const THINGS = [
  'desk lamp',
  'shelf',
  'drawer unit',
  'swivel chair',
  'tool box',
  'garden hose',
  'cordless drill',
  'ladder',
  'pin board',
  'coat rack',
]
const COLOURS = ['Rose', 'Violet', 'Olive', 'Amber', 'Slate', 'Jade']
const CATEGORIES = [
  'Lighting',
  'Storage',
  'Seating',
  'Tools',
  'Garden',
  'Office',
  'Desk lamps',
  'Floor lamps',
  'Shelves',
  'Hand tools',
  'Power tools',
  'Hoses',
]

/** Products and suppliers. */
export const PIM = [
  table('pim.brands', 12, undefined, {
    id: serial(),
    name: text(
      ({ i }) =>
        [
          'Lumora',
          'Kastell',
          'Sitwell',
          'Werkhart',
          'Gardana',
          'Officio',
          'Miller & Sons',
          'Petra Line',
          'Otto Classic',
          'Nord',
          'Ostra',
          'Vento',
        ][i]!,
      { about: 'brand names, also those that sound like people' },
    ),
    country_code: ref('ref.countries.code', { type: 'char(2)' }),
  }),
  table(
    'pim.categories',
    CATEGORIES.length,
    'Tree of categories: parent_id is empty at the top.',
    {
      id: serial(),
      parent_id: made('integer', ({ i }) => (i < 6 ? null : [1, 1, 2, 4, 4, 5][i - 6]!), { none: 0.0001 }),
      name: text(({ i }) => CATEGORIES[i]!),
      slug: text(({ i }) => CATEGORIES[i]!.toLowerCase().replace(' ', '-')),
    },
    {
      joins: [{ columns: ['parent_id'], to: 'pim.categories', toColumns: ['id'], declared: true, cardinality: 'n:1' }],
    },
  ),
  table('pim.products', 320, 'Products; what is ordered and stocked are their variants.', {
    id: serial(),
    name: text(({ i, from }) => `${from(COLOURS)} ${THINGS[i % THINGS.length]!} ${100 + i}`),
    brand_id: ref('pim.brands.id'),
    life_cycle: enumOf('pim.life_cycle', ['planned', 'active', 'phase_out', 'discontinued']),
    unit_code: ref('ref.units.code', { type: 'text' }),
    weight_g: int(120, 48_000, { about: 'weight in grams, packed' }),
    attributes: json(({ from, next }) => ({
      colour: from(COLOURS),
      material: from(['steel', 'oak', 'ABS']),
      warranty_months: 24,
      energy: { class: from(['A', 'B', 'C']), watt: Math.round(next() * 60) },
    })),
    tags: list(['new', 'bestseller', 'sale', 'eco']),
    launched_on: date('2017-02-01', '2026-06-01'),
    is_deleted: flag(0.03, { about: 'soft delete' }),
  }),
  table(
    'pim.product_variants',
    700,
    'A product in one colour and size, the unit of ordering.',
    {
      id: serial(),
      product_id: ref('pim.products.id'),
      sku: code('SKU-', 5, { about: 'article number' }),
      ean: made('domain pim.ean13', ({ i }) => `40${String(12_345_678_000 + i * 7)}`, {
        unique: true,
        about: 'EAN-13 barcode',
      }),
      colour: pick(COLOURS),
      size: pick(['S', 'M', 'L', 'XL', 'one size']),
      list_price_cents: int(490, 149_900, { about: 'gross list price in euro cents' }),
      purchase_price: money(1.2, 790, { about: 'net purchase price in euros' }),
      is_active: flag(0.9),
    },
    { checks: ['list_price_cents > 0'] },
  ),
  table(
    'pim.product_categories',
    420,
    undefined,
    {
      product_id: made('integer', ({ i }) => 1 + (i % 320)),
      category_id: made('integer', ({ i }) => 1 + ((i + Math.floor(i / 320) * 3) % CATEGORIES.length)),
    },
    {
      key: ['product_id', 'category_id'],
      joins: [
        { columns: ['product_id'], to: 'pim.products', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['category_id'], to: 'pim.categories', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('pim.suppliers', 40, 'Companies we buy from.', {
    id: serial(),
    supplier_no: code('L-', 4),
    name: text(
      ({ i }) => `${['Baltic Wood', 'Steelworks Ost', 'Lampen Union', 'Plastform', 'Orient Trading'][i % 5]!} ${i + 1}`,
    ),
    country_code: ref('ref.countries.code', { type: 'char(2)' }),
    lead_time_days: int(3, 90, { about: 'usual days from order to delivery' }, 'smallint'),
    reliability: pick(['A', 'B', 'C'], { about: 'A: more than 98 % on time, B: more than 90 %, C: the rest' }),
    contact_json: json(({ who }) => ({ person: who.values.name, mail: who.values.email, tel: who.values.phone }), {
      about: 'contact at the supplier',
    }),
  }),
  table(
    'pim.supplier_products',
    600,
    'Which supplier delivers which variant, at what price.',
    {
      supplier_id: made('integer', ({ i }) => 1 + (i % 40)),
      variant_id: made('integer', ({ i }) => 1 + (i % 700)),
      supplier_sku: text(({ i }) => `X${9000 + i}`),
      price: money(0.9, 640, { about: 'net, in the currency of currency_code' }),
      currency_code: ref('ref.currencies.code', { type: 'char(3)' }),
      min_order_qty: pick([1, 10, 50, 100]),
    },
    {
      key: ['supplier_id', 'variant_id'],
      joins: [
        { columns: ['supplier_id'], to: 'pim.suppliers', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['variant_id'], to: 'pim.product_variants', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('pim.price_lists', 5, undefined, {
    id: serial(),
    code: text(({ i }) => ['RETAIL', 'B2B', 'EXPORT', 'STAFF', 'OUTLET'][i]!),
    currency_code: ref('ref.currencies.code', { type: 'char(3)' }),
    valid_from: date('2024-01-01', '2026-01-01'),
  }),
  table(
    'pim.price_list_items',
    900,
    undefined,
    {
      price_list_id: made('integer', ({ i }) => 1 + (i % 5)),
      variant_id: made('integer', ({ i }) => 1 + (Math.floor(i / 5) % 700)),
      price: money(4, 1_400, { about: 'net, in the currency of the list' }),
    },
    {
      key: ['price_list_id', 'variant_id'],
      joins: [
        { columns: ['price_list_id'], to: 'pim.price_lists', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['variant_id'], to: 'pim.product_variants', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'pim.product_reviews',
    500,
    undefined,
    {
      id: serial(),
      product_id: ref('pim.products.id'),
      customer_id: ref('crm.customers.id', { none: 0.2 }),
      stars: int(1, 5, {}, 'smallint'),
      nickname: text(({ who }) => who.values.username, { about: 'as the reviewer signs' }),
      body: text(({ from, who }) =>
        from(['Good value.', 'Arrived late.', `Thanks to ${who.values.name} from the hotline!`, 'Solid, but heavy.']),
      ),
      is_published: flag(0.85),
      created_at: stamp('2022-01-03', '2026-06-30'),
    },
    { checks: ['stars BETWEEN 1 AND 5'] },
  ),
  table('pim.bundles', 20, undefined, {
    id: serial(),
    name: text(({ i }) => `Starter set ${i + 1}`),
    discount_pct: ratio(0, 0.3, { about: 'fraction of the sum of the parts' }),
  }),
  table(
    'pim.bundle_items',
    70,
    undefined,
    {
      bundle_id: made('integer', ({ i }) => 1 + (i % 20)),
      variant_id: made('integer', ({ i }) => 1 + ((i * 9) % 700)),
      quantity: int(1, 4, {}, 'smallint'),
    },
    {
      key: ['bundle_id', 'variant_id'],
      joins: [
        { columns: ['bundle_id'], to: 'pim.bundles', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['variant_id'], to: 'pim.product_variants', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'pim.media',
    300,
    'Pictures and manuals of products and brands.',
    {
      id: serial(),
      entity_type: pick(['product', 'brand']),
      entity_id: made('integer', ({ row, parent }) => parent(`pim.${String(row['entity_type'])}s`)['id']!),
      kind: pick(['image', 'manual', 'video']),
      path: text(({ i }) => `/media/${i % 97}/${i}.webp`),
      sha256: text(({ next }) =>
        Array.from({ length: 8 }, () =>
          Math.floor(next() * 2 ** 32)
            .toString(16)
            .padStart(8, '0'),
        ).join(''),
      ),
      bytes: int(9_000, 4_800_000),
    },
    {
      joins: (['product', 'brand'] as const).map((type) => ({
        columns: ['entity_id'],
        to: `pim.${type}s`,
        toColumns: ['id'],
        declared: false,
        cardinality: 'n:1' as const,
        when: `entity_type = '${type}'`,
      })),
    },
  ),
  table(
    'pim.product_specs',
    120,
    'Technical data for the printed catalogue, one column per characteristic.',
    {
      product_id: made('integer', ({ i }) => i + 1),
      ...specs(),
    },
    {
      key: ['product_id'],
      joins: [{ columns: ['product_id'], to: 'pim.products', toColumns: ['id'], declared: true, cardinality: '1:1' }],
    },
  ),
]

/** 199 columns, so that the table has 200. */
function specs(): Record<string, Column> {
  const named: Record<string, Column> = {
    ip_rating: pick(['IP20', 'IP44', 'IP65', 'IP67'], { about: 'protection against dust and water' }),
    voltage_v: pick([12, 24, 230], { about: 'volts' }),
    length_mm: int(40, 2_600, { about: 'millimetres' }),
    firmware: pick(['10.2.14.3', '10.2.15.0', '11.0.0.1'], { about: 'version of the firmware, if it has any' }),
  }
  for (let i = Object.keys(named).length + 1; i <= 199; i++)
    named[`spec_${String(i).padStart(3, '0')}`] =
      i % 3 === 0 ? pick(['yes', 'no', 'optional']) : i % 3 === 1 ? int(0, 10 * i) : ratio(0, i)
  return named
}
