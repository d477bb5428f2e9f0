import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { defineOperation, projectField } from '../../operations/operation.ts'
import { SHARED_KINDS, shareContext as share } from '../../record/share-context.ts'
import { hostedProject, projectOf } from './hosted-project.ts'

export const shareContext = defineOperation({
  name: 'share_context',
  title: 'Share a text with the team',
  summary: `Leave a longer text for those who continue the work: a brief, where to resume, a selection. Others read it with ${operationNamed('get_raw_file')}. The current state goes to ${operationNamed('update_state')}.`,
  searchHint: 'hand over, brief, resume work, share with another agent',
  effect: 'write',
  words: 'own',
  needs: ['record', 'team'],
  onServer: {},
  input: {
    slug: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,98}[a-z0-9]$/, 'use small letters, digits and hyphens')
      .describe('Its name, e.g. payment-retries-brief.'),
    content: z.string().describe('Markdown, at most 50 KiB.'),
    summary: z.string().describe('One-line summary.'),
    pointer_kind: z.enum(SHARED_KINDS).default('brief'),
    ...projectField,
  },
  output: { ...hostedProject, status: z.enum(['ok', 'unchanged']), path: z.string() },
  examples: [
    {
      title: 'A brief',
      input: { slug: 'payment-retries-brief', content: '# Retries\n\nWhat was tried.', summary: 'Retries of payments' },
    },
  ],
  async run(ctx, { slug, content, summary, pointer_kind: kind, project_id }) {
    const store = await ctx.record(project_id)
    return { ...projectOf(store), ...(await share(ctx, store, { slug, content, summary, kind })) }
  },
  render: ({ status, path, project }) =>
    status === 'unchanged'
      ? `${path} of ${project.name} says this already.`
      : `${path} is in the record of ${project.name}. Others read it with ${operationNamed('get_raw_file', path)}.`,
})
