import { z } from 'zod'
import { userRules } from '../../analyst/operations/user-rules.ts'
import { beginning, BUDGET } from '../../kernel/domain/answer-budget.ts'
import { markMarkdown } from '../../kernel/domain/view/mark-markdown.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import { defineOperation, forPeople, projectField } from '../../operations/operation.ts'
import { readContext } from '../read-context.ts'
import { asOfField, asOfOf, asOfOutput, describeAsOf } from './as-of-field.ts'
import { recordFields, whose } from './record-fields.ts'

export const getContext = defineOperation({
  name: 'get_context',
  title: 'Project context',
  summary:
    'Read where this project stands now: current state, what comes next, open questions, recent decisions. For an overview, or once at session start unless a <ken-context> block is there already.',
  searchHint: 'project status, background, summary, working on',
  alwaysLoaded: true,
  details:
    'L0 is a page to start with, L1 the working set with the last ten decisions in full, L2 everything: at most 4,000, 10,000 and 20,000 tokens. What does not fit is counted, with the way to it.',
  forPeople: 'Show the project state, open questions and recent decisions.',
  effect: 'read',
  words: 'record',
  needs: ['analyst', 'context', 'record'],
  onServer: {},
  isText: true,
  positional: ['level'],
  unlisted: ['as_of'],
  input: {
    level: z
      .enum(['L0', 'L1', 'L2'])
      .default('L0')
      .describe('L0 a page, L1 more, L2 all.')
      .meta(forPeople('L0 concise, L1 working set, L2 everything.')),
    ...asOfField,
    ...projectField,
  },
  output: {
    ...recordFields,
    ...asOfOutput,
    unreadable: z.number().describe('Decision files that could not be read.'),
    content: z.string(),
    user_rules: z.array(z.string()).optional().describe('The user’s standing wishes, in their own words.'),
  },
  examples: [
    { title: 'At session start', input: {} },
    { title: 'The working set', input: { level: 'L1' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id, { asOf: input.as_of })
    const { text, trust } = await readContext(store, input.level)
    const { unreadable } = await store.catalogue()
    // User rules are known only as they are now; no history of them is kept.
    const rules = store.asOf === undefined ? await userRules(ctx, store.project.id) : ''
    return {
      ...whose(store),
      ...asOfOf(store),
      trust,
      unreadable: unreadable.length,
      content: rules === '' ? text : beginning(text, BUDGET[input.level] - rules.length).text,
      ...(rules !== '' && { user_rules: rules.split('\n') }),
    }
  },
  rules: ({ user_rules: rules = [] }) =>
    rules.length === 0
      ? ''
      : ['How this user wants things, as they told Ken:', ...rules.map((rule) => `- ${rule}`)].join('\n'),
  own: ({ as_of }) => describeAsOf({ as_of }),
  render: (output, _input, view = PLAIN) => markMarkdown(output.content, view),
})
