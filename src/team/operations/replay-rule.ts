import { z } from 'zod'
import { ownerNames, ownerShape } from '../../analyst/operations/owner-names.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'

export const replayRule = defineOperation({
  name: 'replay_rule',
  title: 'Whether admins read chats',
  summary: 'Show whether project admins may read all chats (off by default).',
  effect: 'read',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: {},
  output: { on: z.boolean(), by: ownerShape.optional(), at: z.string().optional() },
  examples: [{ title: 'Here', input: {} }],
  async run(ctx) {
    const { on, changed } = await (await ctx.oversight()).replay()
    const named = await ownerNames(ctx, [changed?.by])
    return { on, ...(changed !== undefined && { by: named(changed.by), at: changed.at }) }
  },
  render: ({ on }) => ruleWords(on),
})

export const replayChange = defineOperation({
  name: 'replay_change',
  title: 'Let admins read chats, or not',
  summary: 'Allow or forbid project admins to read all chats. Visible to everyone and audited.',
  effect: 'write',
  words: 'own',
  needs: ['team'],
  hiddenFrom: NOT_FOR_AGENTS,
  onServer: {},
  input: { on: z.boolean() },
  output: { on: z.boolean() },
  examples: [{ title: 'Only its owner can read this chat', input: { on: false } }],
  async run(ctx, { on }) {
    await (await ctx.oversight()).setReplay(on, { by: ctx.user, at: ctx.clock.now().toISOString() })
    return { on }
  },
  render: ({ on }) => ruleWords(on),
})

const ruleWords = (on: boolean): string =>
  on
    ? 'Admins of this project may read everybody’s chats. Each time is kept in the audit log.'
    : 'Nobody reads a chat but its owner and those it is shared with.'
