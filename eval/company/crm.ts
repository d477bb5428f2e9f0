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
  ref,
  serial,
  stamp,
  table,
  text,
  who,
} from './define.ts'
import { PEOPLE } from './people.ts'

const FIRMS = [
  'Nordlicht Optik',
  'Hafenblick Apotheken',
  'Alpenglück Hotels',
  'Spreewerk Maschinenbau',
  'Rheintal Bäckereien',
  'Kontor Sieben',
  'Weserpapier',
  'Isarfilm',
  'Dom Sanitär',
  'Elbkraft Solar',
]
const FORMS = ['GmbH', 'AG', 'KG', 'OHG', 'SE']

/** Customers, contacts and marketing. */
export const CRM = [
  table(
    'crm.customers',
    640,
    'One row per customer account, private or business. Deleted accounts stay, see is_deleted.',
    {
      id: serial(),
      customer_no: code('K-', 6, { about: 'number on letters and invoices' }),
      kind: enumOf('crm.customer_kind', ['private', 'business', 'public_sector']),
      name: text(
        ({ row, who, i, from }) => (row['kind'] === 'private' ? who.values.name : `${from(FIRMS)} ${i} ${from(FORMS)}`),
        { about: 'the company, or the full name of a private customer' },
      ),
      vat_no: text(({ i }) => `DE${300_000_000 + i * 37}`, { none: 0.5 }),
      country_code: ref('ref.countries.code', { type: 'char(2)' }),
      region_id: ref('ref.regions.id', { none: 0.1 }),
      rating: made('char(1)', ({ i, next }) => 'ABCDU'[i < 5 ? i : Math.floor(next() * 5)]!, {
        about: 'credit rating: A best to D worst, U = unknown',
      }),
      credit_limit: money(0, 50_000, { about: 'EUR; 0 means prepayment only' }),
      legacy_no: made('integer', ({ i }) => 10_001 + i, { none: 0.25, about: 'number in the system before 2021' }),
      is_deleted: flag(0.06, { about: 'soft delete: leave these rows out of every report' }),
      created_at: stamp('2019-01-02', '2026-06-30'),
      updated_at: stamp('2021-03-01', '2026-06-30'),
    },
    {
      checks: ["rating IN ('A', 'B', 'C', 'D', 'U')", 'credit_limit >= 0'],
      joins: [
        { columns: ['legacy_no'], to: 'legacy.kunden', toColumns: ['kdnr'], declared: false, cardinality: '1:1' },
      ],
    },
  ),
  table('crm.addresses', 900, 'Postal addresses of customers.', {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    kind: pick(['billing', 'shipping', 'both']),
    recipient: who('name'),
    street: who('address'),
    postcode: text(({ who }) => who.postcode),
    city: text(({ who }) => who.city),
    country_code: ref('ref.countries.code', { type: 'char(2)' }),
    region_id: ref('ref.regions.id', { none: 0.1 }),
    geo: json(
      ({ next }) => ({ lat: +(47 + next() * 7).toFixed(4), lon: +(6 + next() * 9).toFixed(4), quality: 'rooftop' }),
      { none: 0.3 },
    ),
    valid_to: date('2022-01-01', '2026-06-30', { none: 0.8, about: 'empty while the address is in use' }),
  }),
  table(
    'crm.contacts',
    PEOPLE.length,
    'People at our customers.',
    {
      id: serial(),
      customer_id: ref('crm.customers.id'),
      salutation: pick(['Frau', 'Herr', 'divers', 'keine Angabe'], { about: 'keine Angabe = not stated' }),
      first_name: text(({ who }) => who.given),
      last_name: text(({ who }) => who.surname),
      email: who('email', { unique: true }),
      phone: who('phone', { none: 0.1 }),
      date_of_birth: who('birth date', { none: 0.4 }, 'date'),
      language_code: ref('ref.languages.code', { type: 'char(2)' }),
      job_title: pick(['Buyer', 'Managing director', 'Accountant', 'Head of IT', 'Warehouse lead']),
      is_primary: flag(0.4),
      created_at: stamp('2019-01-02', '2026-06-29'),
    },
    { eachPerson: true },
  ),
  table('crm.segments', 6, 'Target groups of marketing.', {
    id: serial(),
    name: text(({ i }) => ['Key accounts', 'Growth', 'Bargain hunters', 'Dormant', 'Newcomers', 'Win-back'][i]!),
    owner_team: pick(['Marketing DACH', 'Marketing International']),
  }),
  table(
    'crm.customer_segments',
    700,
    undefined,
    {
      customer_id: made('integer', ({ i, parentAt }) => parentAt('crm.customers', i)['id']!),
      segment_id: made('integer', ({ i }) => 1 + ((i * 5 + Math.floor(i / 640)) % 6)),
      since: date('2022-01-01', '2026-06-15'),
    },
    {
      key: ['customer_id', 'segment_id'],
      joins: [
        { columns: ['customer_id'], to: 'crm.customers', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['segment_id'], to: 'crm.segments', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('crm.campaigns', 24, 'Marketing campaigns. Some are named after flowers and people: these are no persons.', {
    id: serial(),
    name: text(
      ({ i }) =>
        `${['Jasmin Launch', 'Rose Sale', 'Viola Week', 'Max Power', 'Frieda Box', 'Black Friday'][i % 6]!} ${2023 + Math.floor(i / 6)}`,
    ),
    channel: enumOf('crm.campaign_channel', ['email', 'paid_search', 'social', 'print', 'trade_fair']),
    budget_eur: money(2_000, 80_000, { about: 'planned budget, EUR net' }),
    starts_on: date('2023-01-09', '2026-05-04'),
    ends_on: date('2023-02-05', '2026-06-28', {
      instead: ['9999-12-31', 0.2],
      about: '9999-12-31 means without an end',
    }),
  }),
  table(
    'crm.leads',
    420,
    undefined,
    {
      id: serial(),
      company: text(({ from, i }) => `${from(FIRMS)} ${i}`),
      contact_name: who('name'),
      email: who('email'),
      phone: who('phone', { none: 0.3 }),
      state: enumOf('crm.lead_state', ['open', 'qualified', 'disqualified', 'converted']),
      score: int(0, 100, { about: '0 to 100, from 70 on sales calls' }, 'smallint'),
      campaign_id: ref('crm.campaigns.id', { none: 0.3 }),
      converted_customer_id: ref('crm.customers.id', { none: 0.7 }),
      country_code: ref('ref.countries.code', { type: 'char(2)' }),
      created_at: stamp('2023-01-02', '2026-06-30'),
    },
    { checks: ['score BETWEEN 0 AND 100'] },
  ),
  table(
    'crm.opportunities',
    380,
    'Deals in the pipeline.',
    {
      id: serial(),
      customer_id: ref('crm.customers.id'),
      lead_id: ref('crm.leads.id', { none: 0.6 }),
      owner_employee_id: made('integer', ({ from }) => from([3, 7, 11, 12, 19, 23]), {
        about: 'hr.employees.id of the account executive',
      }),
      stage: pick([10, 20, 30, 40, 90, 99], {
        about: '10 = first contact, 20 = demo, 30 = offer, 40 = negotiation, 90 = won, 99 = lost',
      }),
      amount_cents: int(50_000, 25_000_000, { about: 'expected value in euro cents' }, 'bigint'),
      probability: int(0, 100, { about: 'percent' }, 'smallint'),
      closes_on: date('2024-01-15', '2026-12-18'),
      lost_reason: pick(['price', 'competitor', 'no budget', 'n/a'], { none: 0.6, about: 'n/a = unknown' }),
      created_at: stamp('2023-06-01', '2026-06-29'),
    },
    {
      joins: [
        { columns: ['owner_employee_id'], to: 'hr.employees', toColumns: ['id'], declared: false, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'crm.opportunity_contacts',
    500,
    undefined,
    {
      opportunity_id: made('integer', ({ i, parentAt }) => parentAt('crm.opportunities', i)['id']!),
      contact_id: made('integer', ({ i }) => 1 + ((i * 7) % PEOPLE.length)),
      role: pick(['decision maker', 'influencer', 'user', 'blocker']),
    },
    {
      key: ['opportunity_id', 'contact_id'],
      joins: [
        { columns: ['opportunity_id'], to: 'crm.opportunities', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['contact_id'], to: 'crm.contacts', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table(
    'crm.activities',
    900,
    'Calls, mails and visits. The subject is a lead, an opportunity or a customer.',
    {
      id: serial(),
      subject_type: pick(['customer', 'lead', 'opportunity']),
      subject_id: made(
        'integer',
        ({ row, parent }) => parent(`crm.${String(row['subject_type']).replace('y', 'ie')}s`)['id']!,
      ),
      type: pick(['call', 'email', 'visit', 'demo']),
      happened_at: epoch('2024-01-02'),
      minutes: int(2, 180, {}, 'smallint'),
      summary: text(({ who, from }) =>
        from([
          `Spoke with ${who.values.name}, call back on ${who.values.phone}.`,
          `Offer sent to ${who.values.email}; wants delivery in two weeks.`,
          'Left a message on the answering machine.',
          `Visited ${who.given} ${who.surname} at ${who.values.address}, ${who.postcode} ${who.city}.`,
        ]),
      ),
    },
    {
      joins: (['customer', 'lead', 'opportunity'] as const).map((type) => ({
        columns: ['subject_id'],
        to: `crm.${type.replace('y', 'ie')}s`,
        toColumns: ['id'],
        declared: false,
        cardinality: 'n:1' as const,
        when: `subject_type = '${type}'`,
      })),
    },
  ),
  table('crm.notes', 300, 'Notizen des Innendienstes (Freitext).', {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    body: text(({ who, from }) =>
      from([
        `Kunde ${who.surname} bittet um Rückruf unter ${who.values.phone}, geboren ${who.values['birth date']}.`,
        `Neue Bankverbindung: ${who.values.iban}, Kontoinhaber ${who.values.name}.`,
        'Zahlt immer pünktlich.',
        `Lieferadresse geändert: ${who.values.address}.`,
      ]),
    ),
    created_at: stamp('2021-01-04', '2026-06-30'),
  }),
  table('crm.consents', 600, 'Einwilligungen nach DSGVO.', {
    id: serial(),
    contact_id: ref('crm.contacts.id'),
    purpose: enumOf('crm.consent_purpose', ['newsletter', 'phone', 'profiling']),
    granted: flag(0.7),
    ip: who('ip address', { none: 0.1 }, 'inet'),
    recorded_at: stamp('2020-05-25', '2026-06-30'),
  }),
  table(
    'crm.campaign_members',
    800,
    undefined,
    {
      campaign_id: made('integer', ({ i }) => 1 + ((i + Math.floor(i / PEOPLE.length)) % 24)),
      contact_id: made('integer', ({ i }) => 1 + (i % PEOPLE.length)),
      response: pick(['sent', 'opened', 'clicked', 'bounced', 'unsubscribed']),
      responded_at: stamp('2023-01-10', '2026-06-28', { none: 0.4 }),
    },
    {
      key: ['campaign_id', 'contact_id'],
      joins: [
        { columns: ['campaign_id'], to: 'crm.campaigns', toColumns: ['id'], declared: true, cardinality: 'n:1' },
        { columns: ['contact_id'], to: 'crm.contacts', toColumns: ['id'], declared: true, cardinality: 'n:1' },
      ],
    },
  ),
  table('crm.interests', 250, undefined, {
    id: serial(),
    contact_id: ref('crm.contacts.id'),
    topics: list(['lighting', 'storage', 'tools', 'garden', 'office']),
  }),
  table('crm.duplicates_found', 0, 'Filled by the nightly matching job.', {
    id: serial(),
    customer_id: ref('crm.customers.id'),
    other_customer_id: ref('crm.customers.id', { slot: 'other' }),
    similarity: int(0, 100),
  }),
]

function epoch(first: string) {
  return made(
    'bigint',
    ({ i, next }) => Math.floor(Date.parse(`${first}T08:00:00Z`) / 1000 + (i < 2 ? i : next()) * 78_600_000),
    { about: 'Unix time in seconds, UTC' },
  )
}
