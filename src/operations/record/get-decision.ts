import { z } from 'zod'
import { label } from '../../core/decision/decision.ts'
import { decisionPath } from '../../core/record/files.ts'
import { ellipsis } from '../../core/text.ts'
import { markMarkdown } from '../../core/view/mark-markdown.ts'
import { PLAIN } from '../../core/view/view.ts'
import { entryOf, noSuchDecision, readDecision, trustOf } from '../../record/read-decision.ts'
import { defineOperation, forPeople, projectField } from '../operation.ts'
import { asOfField, asOfOf, asOfOutput, asOfSaid } from './as-of-field.ts'
import {
  decisionParts,
  lineageField,
  lineageLines,
  lineageOf,
  partsOf,
  stillRejected,
  stillRejectedField,
  stillRejectedLines,
} from './decision-parts.ts'
import { pageOf } from './page-of.ts'
import { recordFields, trustField, whose } from './record-fields.ts'

const LONGEST_LEDE = 300

export const getDecision = defineOperation({
  name: 'get_decision',
  title: 'Read a decision',
  summary: 'Read one decision by its id (D42): what was decided, why, which alternatives were rejected.',
  searchHint: 'open, show by number',
  forPeople: 'Read a decision by its number, or what a search found by its id or path.',
  effect: 'read',
  words: 'record',
  onServer: {},
  isText: true,
  positional: ['number'],
  unlisted: ['parts', 'as_of'],
  input: {
    number: z.number().int().min(0).describe('E.g. 42 for D42.').meta(forPeople('Decision number, e.g. 23.')),
    mode: z
      .enum(['header', 'full'])
      .default('full')
      .describe('header: facts only.')
      .meta(forPeople('header: facts, title and first sentences only.')),
    parts: z
      .boolean()
      .default(false)
      .meta(forPeople('Also its parts as data, and what it replaced and was replaced by.')),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    number: z.number(),
    title: z.string(),
    status: z.string(),
    trust: trustField,
    content: z.string(),
    parts: decisionParts.optional(),
    lineage: lineageField.optional(),
    still_rejected: stillRejectedField.optional(),
  },
  examples: [
    { title: 'The first', input: { number: 1 } },
    { title: 'Only its header', input: { number: 1, mode: 'header' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const catalogue = await store.catalogue()
    const entry = entryOf(catalogue.decisions, input.number)
    if (entry === undefined) throw noSuchDecision(input.number, catalogue, store.asOf)
    const content = (await store.read(decisionPath(entry.stem))) ?? ''
    const facts = {
      ...whose(store),
      ...asOfOf(store),
      number: entry.num,
      title: entry.title,
      status: entry.status,
      trust: trustOf(store, entry),
      ...(await stillRejected(store, entry)),
      ...(input.parts && {
        ...partsOf(await readDecision(store, entry.stem), content),
        lineage: lineageOf(catalogue.decisions, entry),
      }),
    }
    if (input.mode === 'full')
      return {
        ...facts,
        content: pageOf(ctx, content, { from: 0, path: decisionPath(entry.stem), as_of: input.as_of }),
      }
    const decision = await readDecision(store, entry.stem)
    const lines = (['status', 'supersedes', 'superseded_by', 'date', 'decision_type', 'confidence'] as const).flatMap(
      (key) => (entry[key] === null ? [] : [`${key}: ${entry[key]}`]),
    )
    return {
      ...facts,
      content: [
        ...lines,
        '',
        `# ${label(entry.num)} — ${entry.title}`,
        '',
        ellipsis(decision?.rationale ?? '', LONGEST_LEDE),
      ].join('\n'),
    }
  },
  own: asOfSaid,
  render: (output, _input, view = PLAIN) =>
    [
      ...lineageLines(output.lineage, view),
      markMarkdown(output.content, view),
      ...stillRejectedLines(output.still_rejected),
    ].join('\n'),
})
