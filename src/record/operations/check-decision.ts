import { z } from 'zod'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { paragraph } from '../../kernel/domain/view/width.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { check, refuseUnfit } from '../check.ts'
import { nearestDecision, relatedDecision, verdictField } from '../related-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { decisionTypeField, recordFields, whose } from './record-fields.ts'
import { renderRelated } from './render-related.ts'

export const checkDecision = defineOperation({
  name: 'check_decision',
  title: 'Check an approach against the record',
  summary:
    'Check a technical approach against earlier decisions BEFORE you choose, propose or build it: library, database, API, structure, convention. Returns decisions it touches and rejected alternatives it would bring back; you judge. Not for bug fixes.',
  searchHint: 'can we use, add, switch, move to; conflict, compatible, allowed',
  alwaysLoaded: true,
  forPeople: 'Check an idea against decisions and rejected alternatives.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  positional: ['proposed_approach'],
  unlisted: ['type', 'as_of'],
  input: {
    proposed_approach: z.string().min(1).meta(forPeople('The approach you are considering, in a sentence or two.')),
    context: z.string().optional().meta(forPeople('Why you consider it.')),
    files: z
      .array(z.string())
      .max(200)
      .optional()
      .meta(forPeople('Repository paths it would change; their decisions come first.')),
    type: decisionTypeField.describe('Only decisions of this type.'),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    verdict: verdictField,
    assessment: z.string(),
    related_decisions: z.array(relatedDecision),
    nearest: z.array(nearestDecision).describe('Decisions just below the line at which "related" begins.'),
    returns_to: z.array(relatedDecision).describe('Superseded decisions that this goes back to.'),
    searched: z.number().describe('Number of decisions searched.'),
    unreadable: z.number().describe('Decision files that could not be read.'),
    stages: z.array(z.string()),
  },
  examples: [
    { title: 'A cache', input: { proposed_approach: 'Use Redis as the hot-read cache' } },
    {
      title: 'With the files it would change',
      input: { proposed_approach: 'Store sessions in Postgres', files: ['src/session.ts'] },
    },
  ],
  async run(ctx, input) {
    refuseUnfit(input)
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const found = await check(store, input)
    return { ...whose(store, [...found.related_decisions, ...found.returns_to]), ...asOfOf(store), ...found }
  },
  own: describeAsOf,
  render(output, input, view = PLAIN) {
    const look = { view, question: input.proposed_approach }
    const blocks = output.related_decisions.map((hit, i) =>
      renderRelated(hit, { ...look, mark: i === 0 ? '   ← top match' : '' }),
    )
    const earlier = output.returns_to.map((hit) => renderRelated(hit, { ...look, mark: '   ← superseded' }))
    return [paragraph(output.assessment, view), ...blocks, ...earlier].join('\n\n')
  },
})
