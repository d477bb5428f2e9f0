import type { Origin } from '../../kernel/domain/origin.ts'
import type { DecisionProposal } from '../../record/write-proposal.ts'

/** One change of the example record, with its author and time. */
export type DemoStep = { readonly daysAgo: number; readonly by: Origin } & (
  | { readonly decision: Partial<DecisionProposal> & Pick<DecisionProposal, 'title' | 'rationale'> }
  | { readonly question: string; readonly context?: string }
  | { readonly accept: readonly string[] }
  | { readonly state: string }
)

const PERSON: Origin = { surface: 'cli' }
const CLAUDE: Origin = { surface: 'mcp-stdio', client: 'claude-code' }
const CODEX: Origin = { surface: 'mcp-stdio', client: 'codex' }
const GEMINI: Origin = { surface: 'mcp-stdio', client: 'gemini-cli' }

/** Months of an example project after its first nine decisions, oldest first. */
export const DEMO_STEPS: readonly DemoStep[] = [
  {
    daysAgo: 84,
    by: PERSON,
    question: 'Do we deliver on Sundays in December?',
    context: 'Two farms asked; drivers would have to be found.',
  },
  {
    daysAgo: 81,
    by: PERSON,
    decision: {
      title: 'Prices include tax everywhere but in the ledger',
      rationale:
        'Customers see what they pay. The ledger keeps net and tax apart, because the tax office asks for both and a rate may change in the middle of a month.',
      rejected: [{ alternative: 'Net prices with tax at checkout', reason: 'Three of five testers left at checkout.' }],
      decision_type: 'data_model',
      confidence: 'high',
      files_affected: ['src/ledger/**'],
    },
  },
  {
    daysAgo: 77,
    by: CLAUDE,
    decision: {
      title: 'Validate every form on the server with one schema per page',
      rationale:
        'The browser may be old or have no script. One schema per page gives the same messages to the form and to the import of farms.',
      rejected: [{ alternative: 'Checks in the browser alone', reason: 'A farm imported 40 orders with empty dates.' }],
      decision_type: 'pattern',
      confidence: 'medium',
      files_affected: ['src/forms/'],
    },
  },
  { daysAgo: 76, by: PERSON, accept: ['decision-011'] },
  {
    daysAgo: 70,
    by: PERSON,
    decision: {
      title: 'One delivery slot is two hours',
      rationale: 'Drivers keep two hours in nine of ten tours; one hour was kept in six of ten.',
      rejected: [{ alternative: 'One-hour slots', reason: 'Late in four of ten tours of the trial in spring.' }],
      decision_type: 'pattern',
      confidence: 'high',
    },
  },
  {
    daysAgo: 66,
    by: CODEX,
    decision: {
      title: 'Send mail through the outbox table',
      rationale:
        'A mail is a row in the same transaction as the order, and a job sends it. No order without its mail, no mail without its order.',
      rejected: [
        { alternative: 'Send during the request', reason: 'The provider was down for an hour and so were we.' },
      ],
      decision_type: 'architecture',
      confidence: 'high',
      files_affected: ['src/mail/', 'src/jobs/'],
    },
  },
  { daysAgo: 65, by: PERSON, accept: ['decision-013'] },
  {
    daysAgo: 61,
    by: PERSON,
    question: 'Which orders count as revenue: placed, paid or delivered?',
    context: 'Sales and the ledger differ by 3 % each month.',
  },
  {
    daysAgo: 58,
    by: PERSON,
    decision: {
      title: 'Revenue is what was paid, net of refunds, in the month of the payment',
      rationale:
        'The ledger counts payments, so every other number must as well. Orders that were placed and never paid were 2.7 % of the total last year.',
      rejected: [
        { alternative: 'Orders placed', reason: 'Counts orders that are cancelled the next day.' },
        { alternative: 'Orders delivered', reason: 'Moves a fifth of December into January.' },
      ],
      decision_type: 'data_model',
      confidence: 'high',
      resolves_questions: ['Q2'],
    },
  },
  {
    daysAgo: 52,
    by: PERSON,
    decision: {
      title: 'Search products with Postgres full text',
      rationale: 'Two thousand products and five languages fit; a farm changes a name and finds it a second later.',
      rejected: [
        { alternative: 'Elasticsearch', reason: 'A cluster to run for two thousand rows.' },
        { alternative: 'A hosted search', reason: 'Names of small farms would leave the country.' },
      ],
      decision_type: 'architecture',
      confidence: 'medium',
      files_affected: ['src/search/'],
    },
  },
  {
    daysAgo: 47,
    by: CLAUDE,
    decision: {
      title: 'Pictures of products are kept in the database',
      rationale: 'One backup holds everything, and a picture is at most 200 kB after it was made smaller.',
      rejected: [{ alternative: 'A bucket', reason: 'A second thing to back up and to pay.' }],
      decision_type: 'infrastructure',
      confidence: 'low',
      files_affected: ['src/pictures/'],
    },
  },
  { daysAgo: 46, by: PERSON, accept: ['decision-016'] },
  {
    daysAgo: 40,
    by: PERSON,
    decision: {
      title: 'Refunds are separate rows, never changes to a payment',
      rationale: 'The ledger is append-only. A refund that changed its payment could not be audited in August.',
      rejected: [{ alternative: 'Set the payment to refunded', reason: 'Who refunded what, and when, was lost.' }],
      decision_type: 'data_model',
      confidence: 'high',
      reversibility: 'hard',
      files_affected: ['src/ledger/**'],
    },
  },
  {
    daysAgo: 33,
    by: GEMINI,
    decision: {
      title: 'Routes are planned by a greedy pass and two hours of improvement',
      rationale:
        'An exact plan of 60 stops takes longer than the night. Greedy with 2-opt was within 4 % of the best known plan on ten real nights.',
      rejected: [
        { alternative: 'An exact solver', reason: 'Eleven hours for the largest night of May.' },
        { alternative: 'A routing service', reason: 'Addresses of customers would leave the machine.' },
      ],
      decision_type: 'architecture',
      confidence: 'medium',
      files_affected: ['src/planner/'],
    },
  },
  { daysAgo: 32, by: PERSON, accept: ['decision-018'] },
  {
    daysAgo: 29,
    by: PERSON,
    question: 'May a farm see the names of customers before an order is paid?',
    context: 'Pickup stands want them on the list; the privacy page says no.',
  },
  {
    daysAgo: 26,
    by: PERSON,
    decision: {
      title: 'Pictures of products are files below a hashed name',
      rationale:
        'The nightly dump grew to 11 GB and restoring took forty minutes. Files beside the database are copied incrementally, and the hash makes them immutable.',
      rejected: [
        { alternative: 'Keep them in the database', reason: 'Forty minutes to restore, measured in the drill.' },
      ],
      operation: 'supersede',
      affected_decision_id: 'decision-016',
      decision_type: 'infrastructure',
      confidence: 'high',
      files_affected: ['src/pictures/'],
    },
  },
  {
    daysAgo: 21,
    by: PERSON,
    decision: {
      title: 'Restore a backup every first Monday',
      rationale: 'A backup nobody restored is a hope. The drill takes half an hour and is written down each time.',
      decision_type: 'pattern',
      confidence: 'high',
    },
  },
  {
    daysAgo: 18,
    by: CODEX,
    decision: {
      title: 'Reports read from the replica',
      rationale:
        'A report of the whole year held the primary for nine seconds on a market day. The replica is seconds behind.',
      rejected: [
        { alternative: 'A warehouse of its own', reason: 'Nobody to look after it until there are three of us.' },
      ],
      decision_type: 'architecture',
      confidence: 'medium',
      files_affected: ['src/reports/'],
    },
  },
  { daysAgo: 17, by: PERSON, accept: ['decision-021'] },
  {
    daysAgo: 14,
    by: PERSON,
    decision: {
      title: 'Customers sign in with a link by mail',
      rationale: 'A third of all support was passwords. A link is valid for ten minutes and once.',
      rejected: [
        { alternative: 'Passwords', reason: 'A third of all support.' },
        { alternative: 'Sign in with a platform', reason: 'A quarter of the customers has no account there.' },
      ],
      decision_type: 'pattern',
      confidence: 'high',
      files_affected: ['src/session.ts'],
    },
  },
  {
    daysAgo: 12,
    by: PERSON,
    decision: {
      title: 'Keep addresses for two years after the last order',
      rationale: 'The law asks for invoices, not for addresses. Two years cover returns and complaints.',
      decision_type: 'data_model',
      confidence: 'medium',
    },
  },
  {
    daysAgo: 9,
    by: PERSON,
    state: 'The drill of November took 26 minutes. Sign-in by link is live for all customers.',
  },
  {
    daysAgo: 8,
    by: PERSON,
    question: 'Which carrier replaces pickup in the north?',
    context: 'The stand closes at the end of the year; about 140 orders a month.',
  },
  {
    daysAgo: 6,
    by: PERSON,
    decision: {
      title: 'Feature switches are rows, changed without a deploy',
      rationale:
        'The December slots must be closed by whoever is awake. Four switches in one table, read with each request.',
      rejected: [{ alternative: 'A service for switches', reason: 'A vendor for four booleans.' }],
      decision_type: 'pattern',
      confidence: 'medium',
      files_affected: ['src/db/'],
    },
  },
  {
    daysAgo: 4,
    by: CLAUDE,
    decision: {
      title: 'Cache the product list for a minute at the edge',
      rationale:
        'Nine of ten requests on a market day ask for the list. A minute is short enough for stock, and Caddy has the module.',
      rejected: [
        { alternative: 'Redis as a cache', reason: 'A second service to run, turned down for sessions as well.' },
      ],
      decision_type: 'infrastructure',
      confidence: 'medium',
      files_affected: ['src/shop/'],
    },
  },
  {
    daysAgo: 3,
    by: PERSON,
    question: 'How long may a delivery plan take before drivers are told to use yesterday’s?',
  },
  {
    daysAgo: 2,
    by: CODEX,
    decision: {
      title: 'Close an order when its last delivery is signed',
      rationale:
        'Today an order is closed by the payment, so parts that are delivered later are never asked for again.',
      decision_type: 'data_model',
      confidence: 'low',
      files_affected: ['src/orders/'],
    },
  },
  {
    daysAgo: 1,
    by: PERSON,
    decision: {
      title: 'Slots of the last week of December open on the first',
      rationale: 'Last year they were gone in November to people who ordered for the year after.',
      decision_type: 'pattern',
      confidence: 'high',
    },
  },
]
