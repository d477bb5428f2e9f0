import { z } from 'zod'
import { comparisonFields, toleranceFields } from './comparison.ts'

const text = z.string().min(1).max(20_000)
const texts = z.array(text).max(100)
const names = z.array(z.string().min(1).max(300)).max(100)

const everyCase = {
  name: z.string().min(1).max(200).describe('Title, unique in its file.'),
  tags: z
    .array(z.string().min(1).max(60))
    .max(20)
    .default([])
    .describe('A `draft` is skipped until a person completes it.'),
  runs: z.number().int().min(1).max(100).optional().describe('Number of attempts; the command line may raise it.'),
  need: z
    .union([z.literal('all'), z.literal('any'), z.number().int().min(1)])
    .default('all')
    .describe('How many of the runs must pass.'),
}

const assertion = z
  .strictObject({
    contains: text.optional().describe('The answer contains these words, in any case.'),
    not_contains: text.optional(),
    matches: text.optional().describe('A regular expression that the answer matches.'),
    number: z
      .union([z.number(), z.strictObject({ value: z.number(), ...toleranceFields.shape })])
      .optional()
      .describe('The number that the answer contains.'),
    refuses: z.boolean().optional().describe('The analyst declines (true) or answers (false).'),
    clarifies: z.boolean().optional().describe('The analyst asks back (true), or does not (false).'),
    cited: z.boolean().optional().describe('Every number of the answer was checked against a query.'),
  })
  .refine((one) => Object.values(one).some((value) => value !== undefined), 'an assertion says nothing')

/** Expectations for any turn of the analyst, regardless of the case's main subject. */
const everyTurn = {
  prompt: text.describe('The question to the analyst.'),
  earlier: texts.default([]).describe('Earlier user messages of the chat.'),
  assert: z.array(assertion).max(50).default([]),
  called: names.default([]).describe('Tools that must be called.'),
  not_called: names.default([]),
  order: names.default([]).describe('Tools that must be called in this order; others may come between.'),
  tables: names.default([]).describe('Tables that must be read.'),
  not_tables: names.default([]),
  most_calls: z.number().int().min(0).optional().describe('More calls of tools than this fail.'),
}

/** `sql`: the answer must equal the result of a statement. */
const sqlCase = z.strictObject({
  kind: z.literal('sql'),
  ...everyCase,
  ...everyTurn,
  sql: text.describe('Gives the right answer; runs through the same gate as the analyst.'),
  database: z.string().max(200).optional().describe('Required if there are several.'),
  strict: z
    .boolean()
    .optional()
    .describe('As many columns in the same order, and rows in order if `sql` has an ORDER BY.'),
  compare: comparisonFields.prefault({}),
})

const answerCase = z.strictObject({ kind: z.literal('answer'), ...everyCase, ...everyTurn })

const actionCase = z.strictObject({ kind: z.literal('action'), ...everyCase, ...everyTurn })

/**
 * Expected search hits among the first `at`. A hit is identified by its id, its path, the end of its path, or `D12`.
 */
const retrievalCase = z.strictObject({
  kind: z.literal('retrieval'),
  ...everyCase,
  query: text,
  mode: z.enum(['both', 'words', 'meaning']).default('both'),
  origin: names.optional().describe('Only from: decision, question, note, session, context, code, document.'),
  wanted: names.default([]),
  least: z.number().int().min(0).optional().describe('How many of the wanted must be found; all when it is left out.'),
  forbidden: names.default([]),
  at: z.number().int().min(1).max(100).default(10),
})

const decisionRef = z.union([z.number().int().min(1), z.string().min(1).max(300)])

/** Result of checking a proposal. */
const decisionCase = z.strictObject({
  kind: z.literal('decision'),
  ...everyCase,
  proposal: text,
  context: text.optional(),
  files: names.default([]),
  surfaces: z.array(decisionRef).max(100).default([]).describe('Decisions that it must show, by number or title.'),
  not_surfaces: z.array(decisionRef).max(100).default([]),
  verdict: z.enum(['strong', 'related', 'weak', 'none']).optional(),
  rejected: names.default([]).describe('Alternatives that it must report as rejected.'),
})

const memoryRow = z.strictObject({
  category: z.enum(['global_rule', 'personal_fact']).optional(),
  contains: texts.min(1).describe('Words that one row must contain, all of them.'),
})

/** A person's memories after a conversation, and those that the model gets next time. */
const memoryCase = z.strictObject({
  kind: z.literal('memory'),
  ...everyCase,
  given: z
    .array(z.strictObject({ category: z.enum(['global_rule', 'personal_fact']).default('global_rule'), content: text }))
    .max(50)
    .default([])
    .describe('Existing memories.'),
  conversation: texts.min(1).describe('The user’s messages, in order.'),
  expected: z.array(memoryRow).max(50).default([]),
  forbidden: texts.default([]).describe('Words that no row may hold.'),
  most: z.number().int().min(0).optional().describe('More rows than this fail.'),
  next: z
    .strictObject({ prompt: text.optional(), injected: texts.default([]), not_injected: texts.default([]) })
    .optional(),
})

/** Expected content of a brief of this many tokens. */
const contextCase = z.strictObject({
  kind: z.literal('context'),
  ...everyCase,
  budget: z.number().int().min(100).max(200_000),
  for: text.optional().describe('The task that it is made for.'),
  facts: texts.default([]).describe('Words that must survive.'),
  forbidden: texts.default([]),
})

const KINDS = [sqlCase, answerCase, actionCase, retrievalCase, decisionCase, memoryCase, contextCase] as const

export const testCaseFields = z
  .discriminatedUnion('kind', KINDS)
  .refine(saysSomething, 'it expects nothing: say what must come of it')

export type TestCase = z.output<typeof testCaseFields>
export type CaseOf<K extends TestCase['kind']> = Extract<TestCase, { kind: K }>

export const CASE_KINDS = ['sql', 'answer', 'action', 'retrieval', 'decision', 'memory', 'context'] as const

/** Allowed fields of a kind; none if the kind does not exist. */
export const caseFieldsOf = (kind: string): readonly string[] =>
  KINDS.flatMap((one) => (one.shape.kind.value === kind ? Object.keys(one.shape) : []))

/** A case that cannot fail is not a test. */
function saysSomething(
  one: z.output<
    | typeof sqlCase
    | typeof answerCase
    | typeof actionCase
    | typeof retrievalCase
    | typeof decisionCase
    | typeof memoryCase
    | typeof contextCase
  >,
): boolean {
  const some = (...lists: readonly (readonly unknown[])[]): boolean => lists.some((list) => list.length > 0)
  switch (one.kind) {
    case 'sql':
      return true
    case 'answer':
    case 'action':
      return (
        one.most_calls !== undefined ||
        some(one.assert, one.called, one.not_called, one.order, one.tables, one.not_tables)
      )
    case 'retrieval':
      return some(one.wanted, one.forbidden)
    case 'decision':
      return one.verdict !== undefined || some(one.surfaces, one.not_surfaces, one.rejected)
    case 'memory':
      return (
        one.most !== undefined ||
        some(one.expected, one.forbidden, one.next?.injected ?? [], one.next?.not_injected ?? [])
      )
    case 'context':
      return some(one.facts, one.forbidden)
  }
}
