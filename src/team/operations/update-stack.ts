import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { plural } from '../../kernel/domain/text.ts'
import { defineOperation, projectField } from '../../operations/operation.ts'
import { writeStack } from '../../record/write-stack.ts'
import { hostedProject, projectOf } from './hosted-project.ts'

export const updateStack = defineOperation({
  name: 'update_stack',
  title: 'Update the stack',
  summary: `Save what the project is built with (stack.md), as a whole: languages, libraries, services. Read it first with ${operationNamed('get_raw_file')}. A choice between alternatives goes to ${operationNamed('propose_decision')}.`,
  searchHint: 'stack, dependencies, technologies in use',
  details:
    'Replaces the file. With expected_revision (the SHA-256 of the text that was read, or absent) nothing is written if the file changed meanwhile.',
  effect: 'write',
  words: 'own',
  needs: ['record', 'team'],
  onServer: {},
  unlisted: ['expected_revision'],
  input: {
    content: z.string().describe('The whole file: one bullet per choice, - **Name** what it is used for.'),
    expected_revision: z.string().max(64).optional().describe('Revision the text is based on.'),
    ...projectField,
  },
  output: {
    ...hostedProject,
    status: z.enum(['ok', 'unchanged']),
    revision: z.string(),
    names: z.array(z.string()).describe('The part shown in the context.'),
  },
  examples: [{ title: 'Two choices', input: { content: '- **Node 24** the server\n- **PostgreSQL** records\n' } }],
  async run(ctx, { content, expected_revision: expected, project_id }) {
    const store = await ctx.record(project_id)
    return { ...projectOf(store), ...(await writeStack(ctx, store, { content, expected })) }
  },
  render: ({ status, names, project }) =>
    status === 'unchanged'
      ? `The stack of ${project.name} says this already.`
      : `The stack of ${project.name} now lists ${plural(names.length, 'choice')}.`,
})
