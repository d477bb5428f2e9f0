import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { plural } from '../../kernel/domain/text.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../../operations/operation.ts'
import {
  acceptEdits,
  acceptNamed,
  namedEntries,
  askAboutProposals,
  pendingProposals,
  proposalLine,
  proposalsWait,
} from '../accept.ts'
import type { CatalogueEntry } from '../domain/decision/catalogue.ts'
import { label } from '../domain/decision/decision.ts'
import { type Reviewed, inferredRejections, reviewInferred } from '../review-inferred.ts'
import { recordFields, whose } from './record-fields.ts'

const decision = z.object({ num: z.number(), title: z.string(), date: z.string() })

export const accept = defineOperation({
  name: 'accept',
  title: 'Accept edits and proposals',
  summary: 'Accept agent proposals, or manual edits, into the record.',
  details: `With numbers or --all: these decisions are a person's from now on, and no longer marked \`proposed by an agent\`.
With numbers, what an import inferred to be rejected there is accepted too; --rejected accepts only the named alternatives, and --not-rejected removes the named ones. \`ken import adr --review\` lists them.
Without: files edited by hand (project.md, stack.md, a decision) are taken as they are, so that \`ken verify\` agrees again, and at a terminal
you are asked about the proposals; --yes accepts them without asking. A file that cannot be read is left for \`ken doctor\`, and a decision that is gone for \`ken repair\`: decisions are superseded, not deleted.
The state before is in the snapshots. --history also takes a journal or snapshots that were changed or cut as they are; what is gone from them stays gone.`,
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['record'],
  onServer: {},
  hiddenFrom: FOR_PEOPLE,
  positional: ['decisions'],
  input: {
    decisions: z.array(z.string().max(200)).max(1_000).optional().describe('Numbers of proposed decisions, e.g. 12.'),
    all: z.boolean().default(false).describe('All proposed decisions.'),
    rejected: z
      .array(z.string().min(1).max(300))
      .max(100)
      .optional()
      .describe('Confirm these inferred alternatives as rejected.'),
    not_rejected: z
      .array(z.string().min(1).max(300))
      .max(100)
      .optional()
      .describe('Remove these inferred alternatives: they were not rejected.'),
    history: z.boolean().default(false).describe('Also accept a changed or truncated journal or snapshots.'),
    yes: z.boolean().default(false).describe('Accept edits and all proposed decisions without asking.'),
    dry_run: z.boolean().default(false).describe('Only show what would be accepted.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    accepted: z.array(z.string()),
    left: z.array(z.object({ path: z.string(), message: z.string() })),
    decisions: z.array(decision),
    pending: z.array(decision),
    reviewed: z
      .array(z.object({ num: z.number(), alternative: z.string(), rejected: z.boolean() }))
      .describe('Rejections that an import inferred: kept, or removed as wrong.'),
    inferred: z
      .array(decision.omit({ date: true }).extend({ alternative: z.string(), sentence: z.string() }))
      .optional()
      .describe('With dry_run and no numbers: rejections that an import inferred, pending review.'),
    dry_run: z.boolean(),
  },
  examples: [
    { title: 'See what waits', input: { dry_run: true } },
    { title: 'What an agent proposed', input: { decisions: ['10'] } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const isNamed = input.all || input.decisions !== undefined
    const isReview = input.rejected !== undefined || input.not_rejected !== undefined
    if (isReview && input.decisions === undefined)
      throw new AppError('invalid_input', 'Name the decision that the alternatives belong to.', {
        hint: 'E.g. `ken accept 4 --rejected Fastify`.',
      })
    const edits = isNamed ? { accepted: [], left: [] } : await acceptEdits(ctx, store, input)
    const reviewed = await reviewInferred(ctx, store, { ...input, entries: await namedEntries(store, input.decisions) })
    const decisions = isNamed
      ? isReview
        ? []
        : await acceptNamed(ctx, store, input)
      : input.dry_run
        ? []
        : input.yes
          ? await acceptNamed(ctx, store, { all: true, dry_run: false })
          : await askAboutProposals(ctx, store, await pendingProposals(store))
    const gone = new Set(decisions.map(({ num }) => num))
    const pending = (await pendingProposals(store)).filter(({ num }) => !gone.has(num))
    return {
      ...whose(store),
      ...edits,
      decisions: decisions.map(facts),
      pending: pending.map(facts),
      reviewed: reviewedFacts(reviewed),
      ...(input.dry_run && !isNamed && { inferred: await inferredRejections(store) }),
      dry_run: input.dry_run,
    }
  },
  render(output) {
    const did = output.dry_run ? 'Would accept' : 'Accepted'
    const edits =
      output.accepted.length === 0
        ? []
        : [`${did} ${plural(output.accepted.length, 'file')}:`, ...output.accepted.map((path) => `  ${path}`)]
    const decisions =
      output.decisions.length === 0
        ? []
        : [`${did} ${plural(output.decisions.length, 'decision')}:`, ...output.decisions.map(proposalLine)]
    const reviewed = output.reviewed.map(
      ({ num, alternative, rejected }) =>
        `${output.dry_run ? 'Would record' : 'Recorded'}: ${label(num)} ${rejected ? 'rejected' : 'did not reject'} ${alternative}.`,
    )
    const nothing =
      edits.length + decisions.length + reviewed.length + output.pending.length > 0
        ? []
        : ['Nothing was edited by hand, and no proposal waits.']
    const pending =
      output.pending.length === 0
        ? []
        : [`${proposalsWait(output.pending.length)}:`, ...output.pending.map(proposalLine)]
    return [
      ...edits,
      ...output.left.map((f) => `  left: ${f.path}: ${f.message}`),
      ...decisions,
      ...reviewed,
      ...pending,
      ...nothing,
    ].join('\n')
  },
})

const facts = ({ num, title, date }: CatalogueEntry): z.output<typeof decision> => ({ num, title, date })

const reviewedFacts = ({ confirmed, removed }: Reviewed): { num: number; alternative: string; rejected: boolean }[] => [
  ...confirmed.map(({ num, alternative }) => ({ num, alternative, rejected: true })),
  ...removed.map(({ num, alternative }) => ({ num, alternative, rejected: false })),
]
