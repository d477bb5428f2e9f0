import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { isTold } from '../../retrieval/domain/ranking/verdict.ts'
import { decisionNumber } from '../domain/decision/decision-id.ts'
import { CONFIDENCES, DECISION_TYPES, type DecisionType, REVERSIBILITIES } from '../domain/decision/decision.ts'
import { type ProposalOutcome, propose } from '../propose.ts'
import { trustOf } from '../read-decision.ts'
import { refreshAgentsMd } from '../refresh-agents-md.ts'
import { relatedDecision } from '../related-decision.ts'
import { recordFields, whose } from './record-fields.ts'
import { renderRelated } from './render-related.ts'

const LONGEST_SHOWN = 2_000

/** A model may pass a number, or a list of numbers. */
const asText = (given: unknown): unknown =>
  Array.isArray(given) ? given.join(', ') : typeof given === 'number' ? String(given) : given

export const proposeDecision = defineOperation({
  name: 'propose_decision',
  title: 'Record a decision',
  summary: `Record a decision that the user agreed to or approved: the reason, and each rejected alternative. It may replace an older one (supersede). Call ${operationNamed('check_decision')} first.`,
  searchHint: 'write down choice, log ADR',
  alwaysLoaded: true,
  forPeople: 'Record a decision with its reason and rejected alternatives.',
  details:
    'add records a new decision, supersede replaces one or several, update appends to the rationale of one. When unsure, add: a wrong supersede is hard to undo. Confidence is medium unless given. Similar decisions are reported, and never stop the write.',
  effect: 'write',
  fromPage: 'free',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['title'],
  unlisted: ['dry_run'],
  input: {
    title: z.string().default('').meta(forPeople('The decision in one line; leave out for update.')),
    rationale: z
      .string()
      .describe('Why: constraints, tradeoffs.')
      .meta(forPeople('Why: constraints, tradeoffs, what would change it.')),
    operation: z.enum(['add', 'update', 'supersede']).default('add'),
    affected_decision_id: z
      .preprocess(asText, z.string().max(200).optional())
      .describe('To update or supersede, e.g. D42.')
      .meta(forPeople('What to update or supersede, e.g. D42 or D2, D3.')),
    rejected: z
      .array(z.strictObject({ alternative: z.string(), reason: z.string() }))
      .max(50)
      .optional()
      .meta(forPeople('What was considered and why not.')),
    confidence: z.enum(CONFIDENCES).optional(),
    decision_type: z.enum([...DECISION_TYPES, 'library_choice']).optional(),
    reversibility: z.enum(REVERSIBILITIES).optional(),
    files_affected: z
      .array(z.string().min(1).max(500))
      .max(200)
      .optional()
      .meta(forPeople('Repository paths it governs.')),
    resolves_questions: z.array(z.string()).max(100).optional().meta(forPeople('Open questions it answers, e.g. Q3.')),
    lift: z
      .array(z.string().min(1).max(300))
      .max(50)
      .optional()
      .meta(forPeople('With supersede: what the old decision rejected and is free again.')),
    dry_run: z
      .boolean()
      .default(false)
      .meta(forPeople('Only check whether it would be recorded, and list similar ones.')),
    ...projectField,
  },
  output: {
    ...recordFields,
    status: z.enum(['confirmed', 'rejected']),
    tier: z.number(),
    operation: z.enum(['add', 'update', 'supersede', 'reject']),
    assessment: z.string(),
    decision_id: z.string().optional(),
    decision_type: z.enum(DECISION_TYPES).optional().describe('The stored text.'),
    similar_decisions: z.array(relatedDecision),
    touched_decisions: z.array(z.string()),
    resolved_questions: z.array(z.string()),
    error: z.object({ kind: z.string(), reason: z.string() }).optional(),
  },
  examples: [
    {
      title: 'A cache, with the rejected alternatives',
      input: {
        title: 'Cache hot reads in Redis',
        rationale: 'In-memory cache for hot read paths; lower p99 than database round trips.',
        rejected: [{ alternative: 'Memcached', reason: 'No persistence and fewer data types.' }],
        files_affected: ['src/cache.ts'],
        decision_type: 'infrastructure',
      },
    },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const head = (await ctx.repository())?.head()
    const outcome: ProposalOutcome = await propose(
      ctx,
      store,
      { ...input, decision_type: storedType(input.decision_type), base_commit: await head },
      { dryRun: input.dry_run },
    )
    if (outcome.status === 'confirmed' && !input.dry_run) await refreshAgentsMd(ctx, store)
    // The decision is already recorded: an error here would make the caller record it again.
    const seen = await store.catalogue().catch(() => undefined)
    const entry = seen?.decisions.find(({ stem }) => stem === outcome.decision_id)
    return {
      ...whose(store),
      ...(entry && { trust: trustOf(store, entry) }),
      ...(entry?.decision_type && { decision_type: entry.decision_type }),
      ...outcome,
    }
  },
  approval: (input) => (input.dry_run ? '' : question(input)),
  own(output, input, view = PLAIN) {
    if (output.status !== 'confirmed') return view.mark('bad', output.assessment)
    if (input.dry_run) return output.assessment
    const stored =
      input.decision_type === 'library_choice'
        ? ' Its type is stored as architecture: the record has no library_choice.'
        : ''
    const waiting = output.trust === 'proposed by an agent' ? ` ${waits(output.decision_id ?? '', view)}` : ''
    const undo = view.reader === 'person' ? ` ${view.mark('dim', '`ken undo` takes it back.')}` : ''
    return `${view.mark('good', output.assessment)}${stored}${waiting}${undo}`
  },
  render(output, input, view = PLAIN) {
    const similar = output.similar_decisions.filter(({ verdict }) => isTold(verdict))
    return similar.length === 0
      ? ''
      : [
          'Related, for you to weigh:',
          '',
          ...similar.map((hit) => renderRelated(hit, { view, question: input.title })),
        ].join('\n')
  },
  exit: (output) => (output.status === 'rejected' ? 4 : 0),
})

/** Agents also use the type `library_choice`, which is stored as architecture. */
const storedType = (given: DecisionType | 'library_choice' | undefined): DecisionType | undefined =>
  given === 'library_choice' ? 'architecture' : given

const waits = (id: string, { reader }: View): string =>
  `It is marked as proposed by an agent until a person accepts it${reader === 'agent' ? '' : ` (\`ken accept ${decisionNumber(id)}\`)`}.`

interface Asked {
  readonly title: string
  readonly rationale: string
  readonly operation: 'add' | 'update' | 'supersede'
  readonly affected_decision_id?: string | undefined
  readonly rejected?: readonly { readonly alternative: string }[] | undefined
}

const question = (input: Asked): string =>
  [
    input.operation === 'add'
      ? 'Record this decision?'
      : `${input.operation === 'update' ? 'Update' : 'Supersede'} ${input.affected_decision_id ?? 'a decision'}?`,
    '',
    input.title,
    '',
    ellipsis(input.rationale, LONGEST_SHOWN),
    ...(input.rejected ?? []).map((r) => `Rejected: ${r.alternative}`),
  ].join('\n')
