import { epoch, flag, int, json, list, made, pick, ref, serial, stamp, table, text, who } from './define.ts'

/** Tables about activity on the site and in the app. */
export const WEB = [
  table(
    'web.users',
    520,
    'Logins of the shop.',
    {
      id: serial(),
      username: who('username', {}, 'text'),
      email: who('email'),
      customer_id: ref('crm.customers.id', { none: 0.2, declared: false }),
      signup_ip: who('ip address', {}, 'text'),
      last_login: epoch('2024-05-01', '2026-06-30', 1, { none: 0.1, about: 'Unix time in seconds' }),
      locale: pick(['de_DE', 'de_AT', 'fr_FR', 'en_US']),
      is_blocked: flag(0.02),
    },
    { eachPerson: true },
  ),
  table('web.sessions', 1600, undefined, {
    id: made('uuid', ({ i }) => `a0000000-0000-4000-8000-${String(i + 1).padStart(12, '0')}`),
    user_id: ref('web.users.id', { none: 0.5 }),
    started_at: epoch('2026-01-01', '2026-06-30', 1000, { about: 'Unix time in milliseconds' }),
    device: pick(['mobile', 'desktop', 'tablet', 'bot']),
    app_version: pick(['7.14.0.2', '7.15.1.0', '8.0.0.1'], {
      none: 0.3,
      about: 'version of the app, empty in a browser',
    }),
    utm_source: pick(['google', 'newsletter', 'direct', 'instagram'], { none: 0.2 }),
    ip: who('ip address', {}, 'text'),
    landing: pick(['/', '/sale', '/lamps', '/garden']),
  }),
  table('web.page_views', 4000, 'One row per page seen. Very large in production.', {
    id: made('bigint', ({ i }) => i + 1),
    session_id: ref('web.sessions.id', { type: 'uuid' }),
    path: pick(['/', '/sale', '/p/lamp', '/p/chair', '/cart', '/checkout', '/help']),
    viewed_at: stamp('2026-01-01', '2026-06-30 23:59:00'),
    ms: int(40, 9_000, { about: 'milliseconds until the page was shown' }),
    product_id: ref('pim.products.id', { none: 0.5, declared: false }),
  }),
  table('web.events', 2400, 'Events of the tracker; props depends on name.', {
    id: made('bigint', ({ i }) => i + 1),
    session_id: ref('web.sessions.id', { type: 'uuid', declared: false }),
    name: pick(['add_to_cart', 'remove_from_cart', 'search', 'purchase', 'error']),
    props: json(({ row, from, next }) => {
      if (row['name'] === 'search') return { query: from(['lamp', 'chair', 'hose']), hits: Math.floor(next() * 40) }
      if (row['name'] === 'purchase')
        return {
          order_no: `A${String(1 + Math.floor(next() * 2600)).padStart(7, '0')}`,
          value: Math.floor(next() * 900),
          currency: 'EUR',
        }
      return { sku: `SKU-${String(1 + Math.floor(next() * 700)).padStart(5, '0')}`, qty: 1 + Math.floor(next() * 3) }
    }),
    event_time: epoch('2026-01-01', '2026-06-30', 1000, { about: 'Unix time in milliseconds' }),
  }),
  table('web.searches', 900, undefined, {
    id: serial(),
    session_id: ref('web.sessions.id', { type: 'uuid' }),
    term: pick(['desk lamp', 'shelf', 'chair', 'ladder', 'rose', 'violet']),
    hits: int(0, 140),
    clicked_product_id: ref('pim.products.id', { none: 0.6 }),
  }),
  table('web.ab_tests', 8, undefined, {
    id: serial(),
    key: text(({ i }) => `exp_${['checkout', 'search', 'banner', 'price'][i % 4]!}_${1 + Math.floor(i / 4)}`),
    arms: list(['control', 'a', 'b']),
    started_on: made('date', ({ i }) => `2026-0${1 + (i % 6)}-05`),
  }),
  table(
    'web.ab_assignments',
    900,
    undefined,
    {
      test_id: made('integer', ({ i }) => 1 + ((i + Math.floor(i / 520)) % 8)),
      user_id: made('integer', ({ i }) => 1 + (i % 520)),
      arm: pick(['control', 'a', 'b']),
      converted: flag(0.12),
    },
    {
      key: ['test_id', 'user_id'],
      joins: [
        { columns: ['test_id'], to: 'web.ab_tests', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['user_id'], to: 'web.users', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('web.newsletter_signups', 300, undefined, {
    id: serial(),
    email: who('email'),
    source: pick(['footer', 'popup', 'checkout']),
    confirmed: flag(0.8, { about: 'double opt-in done' }),
    created_at: stamp('2025-01-01', '2026-06-30'),
  }),
  table('web.error_logs', 500, undefined, {
    id: serial(),
    level: pick(['WARN', 'ERROR', 'FATAL']),
    message: text(({ from, who }) =>
      from([
        'timeout of payment service',
        `login failed for ${who.values.username}`,
        `mail to ${who.values.email} bounced`,
        `blocked ${who.values['ip address']}`,
      ]),
    ),
    context: json(({ who, from }) => ({
      url: from(['/cart', '/checkout']),
      user: { login: who.values.username, ip: who.values['ip address'] },
    })),
    logged_at: stamp('2026-06-01', '2026-06-30 23:58:00'),
  }),
  table(
    'web.redirects',
    60,
    undefined,
    {
      old_path: text(({ i }) => `/old/${i}`),
      new_path: text(({ i }) => `/new/${i}`),
      status: pick([301, 302]),
    },
    { key: ['old_path'] },
  ),
]
