import { z } from 'zod'
import { ellipsis } from '../../kernel/domain/text.ts'
import { markMarkdown } from '../../kernel/domain/view/mark-markdown.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { decisionReferred } from '../domain/decision/decision-id.ts'
import { label } from '../domain/decision/decision.ts'
import { decisionPath } from '../domain/files.ts'
import { lastingId, readNamed } from '../named-decision.ts'
import { noSuchDecision, readDecision, trustOf } from '../read-decision.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
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
const ID = /^d_[a-z0-9]{7}$/

/** Parses a number from a command line or a model: `D42`, `decision 42`. */
const asNumber = (given: unknown): unknown =>
  typeof given === 'string' && !ID.test(given) ? (decisionReferred(given) ?? given) : given

export const getDecision = defineOperation({
  name: 'get_decision',
  title: 'Read a decision',
  summary: 'Read one decision by its id (D42): what was decided, why, which alternatives were rejected.',
  searchHint: 'open, show by number',
  forPeople: 'Show a decision by number, or a search hit by id or path.',
  effect: 'read',
  words: 'record',
  needs: ['record'],
  onServer: {},
  isText: true,
  positional: ['number'],
  unlisted: ['parts', 'as_of'],
  input: {
    number: z
      .preprocess(asNumber, z.union([z.number().int().min(0), z.string().regex(ID, 'say it like 42 or d_7x2m9qk')]))
      .describe('E.g. 42 for D42.')
      .meta(forPeople('Decision number, e.g. 23, or permanent id, e.g. d_7x2m9qk.')),
    mode: z.enum(['header', 'full']).default('full').meta(forPeople('header: facts, title and first sentences only.')),
    parts: z.boolean().default(false).meta(forPeople('Also its parts as data, with predecessors and successors.')),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    number: z.number(),
    id: z.string().optional().describe('Stays when the number changes.'),
    note: z.string().optional().describe('If the number belonged to another decision before.'),
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
    const named = readNamed(catalogue, input.number)
    if (named === undefined) throw noSuchDecision(input.number, catalogue, store.asOf)
    const { entry, note } = named
    const id = lastingId(catalogue, entry)
    const content = (await store.read(decisionPath(entry.stem))) ?? ''
    const facts = {
      ...whose(store),
      ...asOfOf(store),
      number: entry.num,
      ...(id !== undefined && { id }),
      ...(note !== undefined && { note }),
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
  own: (output) => [describeAsOf(output), output.note ?? ''].filter(Boolean).join(' '),
  render: (output, _input, view = PLAIN) =>
    [
      ...lineageLines(output.lineage, view),
      markMarkdown(output.content, view),
      ...stillRejectedLines(output.still_rejected),
    ].join('\n'),
})
