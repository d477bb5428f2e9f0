import type { Call } from '../kernel/ports/call.ts'
import { PROJECT, STACK } from './domain/files.ts'
import type { Store } from './ports/store.ts'
import { propose } from './propose.ts'
import type { DecisionProposal } from './write-proposal.ts'

type Sample = Omit<DecisionProposal, 'operation'> & { supersedes?: string }

const PROJECT_TEXT = `# Orchard

Orchard takes orders for small farms: a web shop, a delivery planner and a ledger. Two people run it, so it must be cheap to keep alive and easy to reason about.
`
const STACK_TEXT = `# Stack

- **TypeScript** everywhere, Node 24
- **PostgreSQL 17** one primary, one replica
- **Caddy** in front, automatic certificates
`

const SAMPLES: readonly Sample[] = [
  {
    title: 'Use Postgres as the only datastore',
    rationale:
      'Orders, customers and invoices need transactions across tables, and two people can run one database well. Search, queues and the cache of hot pages live in it too until a measurement says otherwise.',
    rejected: [
      { alternative: 'MongoDB', reason: 'No transaction across collections that we would trust with money.' },
      { alternative: 'SQLite', reason: 'One writer at a time stalls the planner on market days.' },
    ],
    decision_type: 'infrastructure',
    confidence: 'high',
    reversibility: 'hard',
    files_affected: ['src/db/'],
  },
  {
    title: 'Keep sessions in signed cookies',
    rationale: 'No session table, nothing to expire, and any instance can serve any request.',
    rejected: [{ alternative: 'Sessions in Redis', reason: 'A second service to run for a kilobyte of state.' }],
    decision_type: 'architecture',
    confidence: 'medium',
    files_affected: ['src/session.ts'],
  },
  {
    title: 'Money is an integer number of cents',
    rationale: 'Floating point drifts in sums; the ledger must balance to the cent every night.',
    rejected: [
      { alternative: 'Floating point euros', reason: 'The July ledger was off by 4 cents and took a day to find.' },
      { alternative: 'A decimal library', reason: 'Slower, and every boundary has to convert.' },
    ],
    decision_type: 'data_model',
    confidence: 'high',
    reversibility: 'hard',
    files_affected: ['src/ledger/**'],
  },
  {
    title: 'Background jobs in a Postgres table',
    rationale:
      'SELECT … FOR UPDATE SKIP LOCKED gives us a queue with the transaction we already have: a job exists if and only if the order does.',
    rejected: [
      { alternative: 'RabbitMQ', reason: 'A broker to run, and messages can outlive a rolled-back order.' },
      { alternative: 'Cron scripts', reason: 'They ran twice during the last deploy.' },
    ],
    decision_type: 'architecture',
    confidence: 'high',
    files_affected: ['src/jobs/'],
  },
  {
    title: 'Plan delivery routes nightly',
    rationale: 'Farmers pack at five in the morning; a plan made at midnight is early enough and may take minutes.',
    decision_type: 'pattern',
    confidence: 'medium',
  },
  {
    title: 'Revoke sessions through a table of session ids',
    rationale:
      'A stolen laptop showed that signed cookies cannot be taken back. A small table of revoked ids, checked on write requests, is enough.',
    rejected: [{ alternative: 'Shorter cookies', reason: 'People on the farm would sign in every morning.' }],
    decision_type: 'architecture',
    confidence: 'high',
    files_affected: ['src/session.ts'],
    supersedes: 'decision-003',
  },
  {
    title: 'Server-rendered pages, no client framework',
    rationale: 'The shop is forms and lists; old phones on field networks load it in a second.',
    rejected: [{ alternative: 'A React single-page app', reason: '300 kB before the first apple is shown.' }],
    decision_type: 'architecture',
    confidence: 'high',
  },
  {
    title: 'Dates are stored in UTC and shown in the farm’s zone',
    rationale: 'Two markets are an hour apart in October; local times in the database made one delivery vanish.',
    decision_type: 'data_model',
    confidence: 'high',
  },
]

/** Fills a new record with the example project of `ken demo`; `before` is called for each decision. */
export async function seedDemo(ctx: Call, store: Store, before: (index: number) => void = () => {}): Promise<void> {
  await store.commit(ctx.origin, async (draft) => {
    draft.write(PROJECT, PROJECT_TEXT)
    draft.write(STACK, STACK_TEXT)
    draft.note('demo', {})
  })
  for (const [index, { supersedes, ...sample }] of SAMPLES.entries()) {
    before(index)
    await propose(
      ctx,
      store,
      supersedes === undefined
        ? { ...sample, operation: 'add' }
        : { ...sample, operation: 'supersede', affected_decision_id: supersedes },
    )
  }
}
