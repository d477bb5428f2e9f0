import { serveWeb, type WebServer } from './web-server.ts'

export interface MetabaseServer extends WebServer {
  /** Replaces the next answers of a path, until it returns undefined. */
  readonly instead: Map<string, () => Answer | Promise<Answer>>
  readonly cards: Map<number, Record<string, unknown>>
  readonly dashboards: Map<number, Record<string, unknown>>
  readonly collections: Record<string, unknown>[]
}

type Answer =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | undefined

export const KEY = 'mb_0123456789abcdefghij='

const field = (id: number, name: string, more: object = {}) => ({ id, name, display_name: name, ...more })

/** Tables of a shop, as `/api/database/:id/metadata` returns them. */
const TABLES = [
  {
    id: 5,
    schema: 'public',
    name: 'orders',
    description: 'One row per order.',
    fields: [
      field(51, 'total', { description: 'In euros, with tax.' }),
      field(52, 'product_id', { fk_target_field_id: 61 }),
      field(53, 'created_at'),
      field(54, 'tax'),
    ],
  },
  { id: 6, schema: 'public', name: 'products', fields: [field(61, 'id'), field(62, 'category')] },
]

/** Implements Metabase's documented API, in pages of at most two items. */
export async function serveMetabase(): Promise<MetabaseServer> {
  const instead: MetabaseServer['instead'] = new Map()
  const cards: MetabaseServer['cards'] = new Map()
  const dashboards: MetabaseServer['dashboards'] = new Map()
  const collections: MetabaseServer['collections'] = [
    { id: 'root', name: 'Our analytics' },
    { id: 1, name: 'Finance', location: '/' },
    { id: 2, name: 'Monthly', location: '/1/' },
    { id: 3, name: "Ada's Personal Collection", location: '/', personal_owner_id: 9 },
    { id: 4, name: 'Drafts', location: '/3/' },
    { id: 7, name: 'Trash', type: 'trash', location: '/' },
  ]
  addQuestions(cards)
  const itemsOf = (collection: string) =>
    [
      ...[...cards.values()].map((card) => ({ card, model: MODELS[String(card['type'])] ?? 'card' })),
      ...[...dashboards.values()].map((card) => ({ card, model: 'dashboard' })),
    ]
      .filter(({ card }) => String(card['collection_id'] ?? 'root') === collection && card['dashboard_id'] == null)
      .map(({ card, model }) => ({
        id: card['id'],
        model,
        name: card['name'],
        description: card['description'] ?? null,
        archived: false,
        database_id: model === 'dashboard' ? null : 1,
        moderated_status: null,
        'last-edit-info': { timestamp: card['updated_at'] ?? '2026-01-01T00:00:00Z' },
      }))
  const web = await serveWeb(async ({ path, query, headers }) => {
    const other = await instead.get(path)?.()
    if (other !== undefined) return other
    if (headers['x-api-key'] !== KEY) return { status: 401, body: 'Unauthenticated' }
    if (path === '/api/database') return { body: { data: [{ id: 1, name: 'Shop', engine: 'postgres' }], total: 1 } }
    if (path === '/api/database/1/metadata') return { body: { id: 1, name: 'Shop', tables: TABLES } }
    if (path === '/api/collection') return { body: collections }
    if (path === '/api/segment') return { body: SEGMENTS }
    if (path === '/api/measure') return { body: MEASURES }
    const listed = /^\/api\/collection\/([^/]+)\/items$/.exec(path)?.[1]
    if (listed !== undefined) {
      const all = itemsOf(listed)
      const offset = Number(query.get('offset') ?? 0)
      return { body: { data: all.slice(offset, offset + 2), total: all.length, limit: 2, offset, models: null } }
    }
    const [, kind, id] = /^\/api\/(card|dashboard)\/(\d+)$/.exec(path) ?? []
    const found = kind === 'card' ? cards.get(Number(id)) : kind === undefined ? undefined : dashboards.get(Number(id))
    return found && { body: found }
  })
  return { ...web, instead, cards, dashboards, collections }
}

const MODELS: Readonly<Record<string, string>> = { model: 'dataset', metric: 'metric' }
const SEGMENTS = [
  {
    id: 1,
    name: 'Large orders',
    description: 'Those that are checked by hand.',
    archived: false,
    table_id: 5,
    definition: { filter: ['>', ['field', 51, null], 100] },
  },
  { id: 2, name: 'Gone', archived: true, table_id: 5, definition: {} },
]
const MEASURES = [
  {
    id: 3,
    name: 'Net revenue',
    description: null,
    archived: false,
    table_id: 5,
    definition: {
      'lib/type': 'mbql/query',
      stages: [{ 'source-table': 5, aggregation: [['sum', {}, ['-', {}, ['field', {}, 51], ['field', {}, 54]]]] }],
    },
  },
]

/** Adds a question built in the editor, in the format of newer releases, and one in SQL, in that of older releases. */
function addQuestions(cards: MetabaseServer['cards']): void {
  cards.set(10, {
    id: 10,
    name: 'Monthly revenue',
    description: 'What the board looks at.',
    type: 'question',
    collection_id: 2,
    archived: false,
    moderation_reviews: [{ status: 'verified', most_recent: true }],
    dataset_query: {
      'lib/type': 'mbql/query',
      database: 1,
      stages: [
        {
          'lib/type': 'mbql.stage/mbql',
          'source-table': 5,
          joins: [
            {
              strategy: 'left-join',
              alias: 'Products',
              stages: [{ 'source-table': 6 }],
              conditions: [['=', {}, ['field', {}, 52], ['field', { 'join-alias': 'Products' }, 61]]],
            },
          ],
          filters: [
            ['=', {}, ['field', {}, 62], 'Widget', 'Gadget'],
            ['time-interval', {}, ['field', {}, 53], -12, 'month'],
          ],
          aggregation: [['sum', { 'lib/uuid': 'u1', 'display-name': 'Revenue' }, ['field', {}, 51]]],
          breakout: [['field', { 'temporal-unit': 'month' }, 53]],
          'order-by': [['desc', {}, ['aggregation', {}, 'u1']]],
        },
        { filters: [['>', {}, ['field', { 'base-type': 'type/Float' }, 'Revenue'], 10]], limit: 5 },
      ],
    },
  })
  cards.set(11, {
    id: 11,
    name: 'Orders by hand',
    type: 'question',
    collection_id: null,
    dataset_query: {
      type: 'native',
      database: 1,
      native: {
        query: 'SELECT * FROM public.orders\nWHERE status = {{status}} AND {{when}}',
        'template-tags': {
          status: { name: 'status', 'display-name': 'Status', type: 'text' },
          when: { name: 'when', 'display-name': 'When', type: 'dimension', dimension: ['field', 53, null] },
        },
      },
    },
  })
}
