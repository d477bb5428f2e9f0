import { z } from 'zod'
import { markMarkdown } from '../../core/view/mark-markdown.ts'
import { PLAIN } from '../../core/view/view.ts'
import { readContext } from '../../record/read-context.ts'
import { defineOperation, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

export const getContext = defineOperation({
  name: 'get_context',
  title: 'Project context',
  summary: 'Call first in every session: what the project is, its state, open questions and recent decisions.',
  details: 'L0 is a page to start with, L1 the working set with the last ten decisions in full, L2 everything.',
  forPeople: 'Where the project stands: state, open questions, recent decisions.',
  effect: 'read',
  words: 'record',
  positional: ['level'],
  input: {
    level: z.enum(['L0', 'L1', 'L2']).default('L0').describe('L0 concise, L1 working set, L2 everything.'),
    ...projectField,
  },
  output: { ...recordFields, content: z.string() },
  examples: [
    { title: 'At session start', input: {} },
    { title: 'The working set', input: { level: 'L1' } },
  ],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const { text, trust } = await readContext(store, input.level)
    return { ...whose(store), trust, content: text }
  },
  render: (output, _input, view = PLAIN) => markMarkdown(output.content, view),
})
