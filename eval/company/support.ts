import { composite, date, enumOf, flag, int, list, made, pick, ref, serial, stamp, table, text } from './define.ts'

/** Customer service tickets. */
export const SUPPORT = [
  table('support.agents', 24, undefined, {
    id: serial(),
    employee_id: ref('hr.employees.id', { one: true }),
    team: pick(['first level', 'second level', 'returns desk']),
    languages: list(['de', 'en', 'fr']),
  }),
  table(
    'support.tickets',
    900,
    undefined,
    {
      id: serial(),
      number: made('integer', ({ i }) => 500_001 + i, { unique: true }),
      customer_id: ref('crm.customers.id'),
      order_id: ref('sales.orders.id', { none: 0.4 }),
      assignee_id: ref('support.agents.id', { none: 0.1 }),
      prio: made('smallint', ({ i, next }) => 1 + (i < 4 ? i : Math.floor(next() * 4)), { about: 'priority' }),
      state: enumOf('support.ticket_state', ['open', 'waiting', 'solved', 'closed']),
      channel: pick(['mail', 'phone', 'chat']),
      subject: text(({ from }) => from(['Where is my parcel?', 'Wrong colour', 'Invoice missing', 'Part broken'])),
      opened_at: stamp('2025-01-02 08:00:00', '2026-06-30 21:30:00'),
      first_reply_min: int(1, 4_300, { none: 0.1, about: 'minutes until the first answer' }),
      closed_at: stamp('2025-01-03 08:00:00', '2026-06-30 22:00:00', { none: 0.3 }),
    },
    {
      joins: [{ columns: ['prio'], to: 'ref.ticket_priority', toColumns: ['id'], declared: false, cardinality: 'n:1' }],
    },
  ),
  table('support.ticket_messages', 1800, undefined, {
    id: serial(),
    ticket_id: ref('support.tickets.id'),
    direction: pick(['in', 'out']),
    body: text(({ who, from }) =>
      from([
        `Hello, this is ${who.values.name}. My phone is ${who.values.phone}.`,
        `Please refund to ${who.values.iban}.`,
        `My card ${who.values.card} was charged twice.`,
        `I live at ${who.values.address}, ${who.postcode} ${who.city}.`,
        'Thank you for your patience.',
        'We have sent you a new one.',
      ]),
    ),
    sent_at: stamp('2025-01-02 08:05:00', '2026-06-30 21:40:00'),
  }),
  table('support.tags', 8, undefined, {
    id: serial(),
    name: text(({ i }) => ['delivery', 'damage', 'invoice', 'login', 'praise', 'spare part', 'warranty', 'spam'][i]!),
  }),
  table(
    'support.ticket_tags',
    1100,
    undefined,
    {
      ticket_id: made('integer', ({ i }) => 1 + (i % 900)),
      tag_id: made('integer', ({ i }) => 1 + ((i + Math.floor(i / 900) * 3) % 8)),
    },
    {
      key: ['ticket_id', 'tag_id'],
      joins: [composite('ticket_id', 'support.tickets', 'id'), composite('tag_id', 'support.tags', 'id')],
    },
  ),
  table('support.csat', 420, 'Answers to the survey after a ticket.', {
    id: serial(),
    ticket_id: ref('support.tickets.id'),
    score: int(1, 5, { about: '1 = very unhappy, 5 = very happy; 0 does not occur' }, 'smallint'),
    answered_on: date('2025-01-05', '2026-06-30'),
  }),
  table('support.articles', 60, 'Knowledge base.', {
    id: serial(),
    title: text(({ i }) => `How to ${['return', 'assemble', 'clean', 'pay', 'track'][i % 5]!} ${i + 1}`),
    lang: ref('ref.languages.code', { type: 'char(2)', declared: false }),
    is_public: flag(0.8),
    author_id: ref('support.agents.id'),
  }),
  table(
    'support.article_links',
    90,
    undefined,
    {
      from_article_id: made('integer', ({ i }) => 1 + (i % 60)),
      to_article_id: made('integer', ({ i }) => 1 + ((i * 7 + 3 + 5 * Math.floor(i / 60)) % 60)),
    },
    {
      key: ['from_article_id', 'to_article_id'],
      joins: [
        composite('from_article_id', 'support.articles', 'id'),
        composite('to_article_id', 'support.articles', 'id'),
      ],
    },
  ),
  table(
    'support.warranty_claims',
    130,
    undefined,
    {
      id: serial(),
      ticket_id: ref('support.tickets.id'),
      variant_sku: made('text', ({ parent }) => parent('pim.product_variants')['sku']!, { about: 'article number' }),
      decision: pick(['pending', 'accepted', 'refused']),
      purchased_on: made(
        'text',
        ({ i, next }) => {
          const day = new Date(Date.UTC(2023, 0, 5) + (i < 2 ? i : next()) * 1.09e11).toISOString()
          return `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`
        },
        { about: 'as typed by the customer, MM/DD/YYYY' },
      ),
    },
    {
      joins: [
        {
          columns: ['variant_sku'],
          to: 'pim.product_variants',
          toColumns: ['sku'],
          declared: false,
          cardinality: 'n:1',
        },
      ],
    },
  ),
]
