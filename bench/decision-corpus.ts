import { decisionStem } from '../src/record/domain/decision/decision-id.ts'
import type { Decision } from '../src/record/domain/decision/decision.ts'
import { formatDecision } from '../src/record/domain/decision/format.ts'
import { openChance } from './chance.ts'

const THINGS =
  'cache queue database index ledger session token gateway scheduler worker replica shard bucket webhook invoice report dashboard pipeline container cluster proxy certificate secret migration schema snapshot backup feature flag experiment catalogue search suggestion recommendation notification mailbox calendar payment refund subscription tenant role permission audit log metric trace alert runbook deployment rollback release branch monorepo package module plugin widget form table chart map editor parser compiler tokenizer embedding model prompt agent tool protocol transport socket stream batch window partition topic consumer producer broker lock lease quota limit budget retry timeout circuit breaker health probe region zone edge origin asset image font script stylesheet locale translation currency timezone address phone document archive export import template theme'.split(
    ' ',
  )
const TECHNOLOGIES =
  'Postgres Redis Kafka RabbitMQ SQLite DuckDB ClickHouse Elasticsearch OpenSearch S3 CloudFront Kubernetes Nomad Terraform Ansible Docker Podman Node Deno Bun Python Go Rust Java Kotlin Swift React Svelte Vue Astro Vite Webpack esbuild TypeScript GraphQL gRPC REST OpenAPI JSON Protobuf Avro Parquet OAuth OIDC SAML JWT TLS nginx Envoy HAProxy Prometheus Grafana Sentry OpenTelemetry GitHub GitLab Jenkins Playwright Vitest Jest pytest Stripe Twilio Sendgrid Auth0 Keycloak Vault Consul etcd ZooKeeper Cassandra MongoDB DynamoDB MySQL MariaDB CockroachDB'.split(
    ' ',
  )
const REASONS =
  'latency throughput cost memory ownership onboarding compliance retention isolation consistency availability recovery observability maintenance simplicity portability licensing security privacy accessibility testing review tooling hiring support contention fragmentation lock-in drift duplication'.split(
    ' ',
  )
const VERBS =
  'store serve render replicate encrypt compress validate throttle deduplicate archive stream shard reconcile publish mirror rotate sample paginate precompute denormalise'.split(
    ' ',
  )
const GLUE =
  'because the team already operates it and the alternative would need a second on call rotation for little gain in practice when load doubles every quarter while customers expect answers within a second and audits ask who changed what'.split(
    ' ',
  )

/** Realistic decisions of about 0.95 KB each; the same seed returns the same text. */
export function openCorpus(seed: number) {
  const chance = openChance(seed)
  // Squaring makes the first words of each list common and the last ones rare, as in real text.
  const pick = (words: readonly string[]) => words[Math.floor(chance() ** 2 * words.length)]!
  const phrase = (words: number) =>
    Array.from({ length: words }, () => pick(chance() < 0.35 ? THINGS : chance() < 0.5 ? GLUE : REASONS)).join(' ')
  const sentence = () =>
    `We ${pick(VERBS)} the ${pick(THINGS)} ${pick(THINGS)} with ${pick(TECHNOLOGIES)}: ${pick(REASONS)} and ${pick(REASONS)} matter more than ${pick(REASONS)}, ${phrase(9)}.`
  const title = () => `${pick(VERBS)} the ${pick(THINGS)} ${pick(THINGS)} in ${pick(TECHNOLOGIES)} ${phrase(2)}`
  return {
    decision(num: number): { name: string; text: string; rejected: string } {
      const made: Decision = {
        date: `2026-0${1 + (num % 9)}-1${num % 10}`,
        confidence: 'high',
        version: 1,
        status: 'active',
        decision_type: 'architecture',
        reversibility: 'moderate',
        source: 'mcp',
        files_affected: [],
        supersedes: null,
        superseded_by: null,
        num,
        title: title(),
        rationale: `${sentence()} ${sentence()}\n\n${sentence()} ${sentence()}`,
        rejected: [
          { name: `${pick(TECHNOLOGIES)} ${pick(THINGS)}`, reason: `It costs ${pick(REASONS)}, ${phrase(6)}.` },
        ],
        body: '',
        content: '',
      }
      return {
        name: `${decisionStem(num, made.title)}.md`,
        text: formatDecision(made),
        rejected: made.rejected[0]!.name,
      }
    },
    query: () => sentence().slice(0, 200),
  }
}
