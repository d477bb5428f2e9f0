import type { DecisionType } from '../src/record/domain/decision/decision.ts'
import type { Given } from './sample-record.ts'

interface Field {
  readonly things: readonly string[]
  readonly tools: readonly string[]
  readonly folder: string
  readonly type: DecisionType
}

const field = (things: string, tools: string, folder: string, type: DecisionType): Field => ({
  things: things.split(', '),
  tools: tools.split(', '),
  folder,
  type,
})

/** Subjects that a larger web shop decides about. */
const FIELDS: readonly Field[] = [
  field(
    'card payments, refunds, invoices, chargebacks, the ledger, payouts, tax rounding',
    'Stripe, Adyen, a double-entry ledger, SEPA files',
    'services/payments',
    'data_model',
  ),
  field(
    'product search, suggestions, facets, the ranking of results, synonyms, typo tolerance',
    'OpenSearch, Postgres full text, Typesense, embeddings',
    'services/search',
    'architecture',
  ),
  field(
    'login, sessions, password resets, roles, single sign-on, service tokens',
    'OIDC, Keycloak, passkeys, signed cookies',
    'services/identity',
    'architecture',
  ),
  field(
    'deployments, rollbacks, staging, preview environments, secrets, the base image',
    'Kubernetes, Nomad, Terraform, Ansible, Helm',
    'infra/deploy',
    'infrastructure',
  ),
  field(
    'the product page, forms, the design system, client state, images, dark mode',
    'React, Svelte, web components, CSS modules',
    'web/shop',
    'pattern',
  ),
  field(
    'order events, the outbox, retries, dead letters, webhooks, fan-out to partners',
    'Kafka, RabbitMQ, Postgres queues, CloudEvents',
    'services/orders',
    'architecture',
  ),
  field(
    'metrics, traces, alerts, log retention, on-call runbooks, error budgets',
    'OpenTelemetry, Prometheus, Grafana, Sentry',
    'infra/observe',
    'infrastructure',
  ),
  field(
    'the public API, pagination, versioning, rate limits, idempotency keys, error bodies',
    'REST, GraphQL, gRPC, JSON Schema',
    'services/gateway',
    'api_design',
  ),
  field(
    'the warehouse, nightly reports, event schemas, data contracts, personal data in analytics',
    'dbt, BigQuery, DuckDB, Airflow',
    'data/models',
    'data_model',
  ),
  field(
    'end-to-end tests, flaky tests, fixtures, contract tests, load tests, coverage',
    'Playwright, Vitest, Pact, k6',
    'tools/testing',
    'refactor',
  ),
  field(
    'stock levels, reservations, picking lists, returns, supplier feeds',
    'event sourcing, row locks, nightly imports, EDI',
    'services/stock',
    'data_model',
  ),
  field(
    'mobile releases, offline carts, push messages, deep links, crash reports',
    'React Native, Swift, Kotlin, feature flags',
    'apps/mobile',
    'pattern',
  ),
]
const OPENINGS = [
  'Use %t for %s',
  'Move %s to %t',
  'Keep %s out of %t',
  'Build %s on %t, not by hand',
  'One owner for %s: %t',
  '%t for %s in every region',
  'Split %s from the monolith with %t',
]
const REASONS = [
  'the team already runs it',
  'latency at the ninetieth percentile halves',
  'audits ask who changed what',
  'a second on-call rotation costs more than it brings',
  'the old way lost writes twice in spring',
  'new people understand it in a day',
  'the licence allows it and the vendor does not lock us in',
]

/**
 * A record as a company builds it over nine years: subjects with their own words, folders and types, families of
 * supersessions, mentions. Deterministic for a given count.
 */
export function variedDecisions(count: number): Given[] {
  let state = 7
  const chance = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)]!
  const fields: number[] = []
  const decisions = Array.from({ length: count }, (_, i): Given => {
    const at = Math.floor(chance() ** 1.3 * FIELDS.length)
    const { things, tools, folder, type } = FIELDS[at]!
    const [thing, tool, other] = [pick(things), pick(tools), pick(tools)]
    const cited = i > 5 && chance() < 0.25 ? ` It follows D${1 + Math.floor(chance() * i)}.` : ''
    fields.push(at)
    return {
      num: i + 1,
      title: pick(OPENINGS)
        .replace('%t', tool)
        .replace('%s', thing)
        .replace(/^\w/, (letter) => letter.toUpperCase()),
      // Decisions become more frequent over the years.
      date: new Date(Date.UTC(2017, 2, 1) + Math.sqrt((i + chance()) / count) * 9.2 * 365.25 * 86_400_000)
        .toISOString()
        .slice(0, 10),
      decision_type: chance() < 0.8 ? (chance() < 0.75 ? type : pick(FIELDS).type) : null,
      confidence: pick(['high', 'high', 'medium', 'low'] as const),
      files_affected:
        chance() < 0.7
          ? [`${folder}/${pick(['src', 'schema', 'config'])}/${pick(['index', 'client', 'rules'])}.ts`]
          : [],
      rationale: `We decide how ${thing} work with ${tool}: ${pick(REASONS)}, and ${pick(REASONS)}.${cited}\n\nFor ${pick(things)} it changes nothing.`,
      rejected: [
        { name: `${other} for ${pick(things)}`, reason: `Tried for a week; ${pick(REASONS)}, but not there.` },
      ],
    }
  })
  for (let i = 8; i < count; i++) {
    if (chance() > 0.16) continue
    const older = decisions.findLastIndex(
      ({ status }, j) => j < i && fields[j] === fields[i] && status !== 'superseded' && chance() < 0.4,
    )
    if (older < 0) continue
    decisions[older] = { ...decisions[older]!, status: 'superseded', superseded_by: String(i + 1) }
    decisions[i] = { ...decisions[i]!, supersedes: String(older + 1) }
  }
  return decisions
}
