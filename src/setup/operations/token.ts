import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { dated } from '../../kernel/domain/view/age.ts'
import { PLAIN } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, FOR_PEOPLE } from '../../operations/operation.ts'

const output = {
  path: z.string().describe('The file with the token, readable only by its owner. The token itself is never shown.'),
  made_at: z.string().optional().describe('Missing before the first server start.'),
}

export const tokenShow = defineOperation({
  name: 'token_show',
  title: 'Path of the token',
  summary: 'Show where the `ken serve --http` token is stored, not its value.',
  effect: 'read',
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  input: {},
  output,
  examples: [{ title: 'Here', input: {} }],
  run: (ctx) => told(ctx),
  render: ({ path, made_at: made }, _input, view = PLAIN) =>
    made === undefined
      ? `No token yet. \`ken serve --http\` creates one in ${path}.`
      : `${path}, made ${dated(made, view)}. ${operationNamed('token_renew')} makes another.`,
})

export const tokenRenew = defineOperation({
  name: 'token_renew',
  title: 'Make a new token',
  summary: 'Create a new `ken serve --http` token. The old token stops working immediately.',
  details: 'Programs that use the old one are refused from then on: give them the new one out of the file.',
  effect: 'write',
  withoutRoom: true,
  destructive: true,
  words: 'own',
  needs: ['machine'],
  hiddenFrom: FOR_PEOPLE,
  fromPage: async (ctx) => {
    const { path, made_at: made } = await told(ctx)
    return [{ what: path, ...(made !== undefined && { before: `the token made ${made}` }), after: 'a new token' }]
  },
  input: {},
  output,
  examples: [{ title: 'Another one', input: {} }],
  async run(ctx) {
    await (await ctx.ownHome()).renewToken()
    return told(ctx)
  },
  render: ({ path }) => `A new token is in ${path}. The old one opens nothing any more.`,
})

async function told(ctx: Given<'machine'>): Promise<{ path: string; made_at?: string }> {
  const { path, at } = await (await ctx.ownHome()).tokenMade()
  return { path, ...(at !== undefined && { made_at: at.toISOString() }) }
}
