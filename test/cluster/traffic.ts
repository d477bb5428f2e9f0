/** Random requests and writes, as a team's agents make them. */

export interface Call {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}

const SUBJECTS = [
  'the cache of hot reads',
  'invoices',
  'nightly deploys',
  'logging',
  'the search page',
  'retries',
  'tax rules',
  'the mobile build',
  'exports',
  'rate limits',
]
const WAYS = [
  'a queue',
  'one more table',
  'a cron job',
  'a signed URL',
  'feature flags',
  'a read replica',
  'gRPC',
  'plain files',
  'a bloom filter',
  'webhooks',
]
const REASONS = [
  'it halves the latency',
  'the vendor ends support',
  'auditors ask for it',
  'it keeps costs flat',
  'on-call nights got quieter',
  'nobody knew the old one',
]

const one = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

export function chooseRead(project_id: string): Call {
  const chance = Math.random()
  const question = `Use ${one(WAYS)} for ${one(SUBJECTS)}`
  if (chance < 0.3) return { operation: 'check_decision', input: { project_id, proposed_approach: question } }
  if (chance < 0.5) return { operation: 'list_decisions', input: { project_id, limit: 20 } }
  if (chance < 0.7) return { operation: 'get_context', input: { project_id } }
  if (chance < 0.9) return { operation: 'search_decisions', input: { project_id, query: question } }
  return { operation: 'get_decision', input: { project_id, number: 1 } }
}

/** A decision that the client itself recorded. */
export interface OwnDecision {
  readonly number: number
  readonly mark: string
}

export interface Write extends Call {
  readonly kind: 'decision' | 'question'
  readonly target?: OwnDecision
}

/**
 * A random write that contains `mark`, a string used nowhere else. Some writes supersede one of the client's decisions
 * by number.
 */
export function chooseWrite(project_id: string, mark: string, own: readonly OwnDecision[]): Write {
  const target = own.length > 0 && Math.random() < 0.2 ? one(own) : undefined
  if (target === undefined && Math.random() < 0.2)
    return {
      kind: 'question',
      operation: 'flag_question',
      input: { project_id, question: `Who looks after ${one(SUBJECTS)} with ${one(WAYS)} (${mark})?` },
    }
  return {
    kind: 'decision',
    ...(target && { target }),
    operation: 'propose_decision',
    input: {
      project_id,
      ...(target && { operation: 'supersede', affected_decision_id: `D${target.number}` }),
      title: `Use ${one(WAYS)} for ${one(SUBJECTS)} ${mark}`,
      rationale: `We chose it because ${one(REASONS)} and ${one(REASONS)}; asked for as ${mark}.`,
      rejected: [{ alternative: one(WAYS), reason: `Tried before: ${one(REASONS)} was not enough.` }],
    },
  }
}
