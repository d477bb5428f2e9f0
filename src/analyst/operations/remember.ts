import { z } from 'zod'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { sentencesOf } from '../../kernel/domain/text/sentences.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation } from '../../operations/operation.ts'
import type { Draft } from '../domain/feedback/feedback.ts'
import { isSaidAlike } from '../domain/user-memory/content-words.ts'
import { judgeProposals, type AcceptedMemory } from '../domain/user-memory/judge-proposals.ts'
import { memoryDraftBody, readMemoryDraft } from '../domain/user-memory/memory-draft.ts'
import { MEMORY_CATEGORIES, type MemoryEvidence } from '../domain/user-memory/memory-row.ts'
import { isStandingInstruction } from '../domain/user-memory/standing-instruction.ts'
import { supersededRow } from '../domain/user-memory/superseded-row.ts'
import { userMessages } from '../domain/user-memory/user-messages.ts'
import { memorySwitches } from './memory-switches.ts'
import { projectKey } from './project-key.ts'

const question = ({ content, words }: { readonly content: string; readonly words: string }): string =>
  `Remember this of you, in all later sessions?\n\n${content}\n\nYou said: "${ellipsis(words, 500)}"`

export const remember = defineOperation({
  name: 'remember',
  title: 'Remember a wish of the user',
  summary: "Keep a lasting wish of the user's or a fact about them. Only with their own words, copied.",
  searchHint: 'user preference, always, never, from now on',
  details:
    'For what a user wants to apply from now on, in all their projects. One-off requests, statements about others, quotations and secrets are refused. Without a terminal it waits in the inbox for the user’s approval.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst', 'context'],
  onServer: {},
  positional: ['content'],
  unlisted: ['category'],
  input: {
    content: z.string().trim().min(4).max(1_000).describe('One sentence.'),
    words: z.string().trim().min(4).max(2_000).describe('What the user wrote, verbatim.'),
    category: z.enum(MEMORY_CATEGORIES).optional(),
  },
  output: {
    status: z.enum(['remembered', 'waiting', 'refused']),
    id: z.string().optional(),
    why: z.string().optional(),
  },
  examples: [
    {
      title: 'A wish that lasts',
      input: { content: 'Show amounts in euros.', words: 'From now on show amounts in euros, please.' },
    },
  ],
  approval: question,
  async run(ctx, input) {
    const { learns } = await memorySwitches(ctx)
    if (!learns) return { status: 'refused' as const, why: 'memories are turned off here' }
    const state = await ctx.analystState()
    const project = await projectKey(ctx)
    const messages = userMessages([{ id: 'words', text: input.words }]) ?? []
    const isRule = messages.some(({ text }) => sentencesOf(text).some(isStandingInstruction))
    const { accepted, refused } = judgeProposals(
      {
        items: [
          {
            category: input.category ?? (isRule ? 'global_rule' : 'personal_fact'),
            content: input.content,
            evidence: input.words,
          },
        ],
        forget: [],
      },
      { messages, holding: await state.memories.active(ctx.user, project) },
    )
    const [memory] = accepted
    if (memory === undefined) return { status: 'refused' as const, why: refused[0]?.why ?? 'there is nothing to keep' }
    const isAgreed = ctx.approved === true || (await ctx.confirm?.(question(input))) === true
    return isAgreed ? keep(ctx, memory) : draft(ctx, memory, project)
  },
  render({ status, why }) {
    if (status === 'refused') return `Not remembered: ${why}.`
    return status === 'remembered'
      ? 'Remembered.'
      : `It waits in the user's inbox until they say yes (${operationNamed('inbox_list')}).`
  },
  exit: ({ status }) => (status === 'refused' ? 4 : 0),
})

const evidenceOf = (ctx: Given, words: string): MemoryEvidence => ({
  words,
  source: ctx.origin.client ?? ctx.origin.surface,
})

async function keep(ctx: Given<'analyst'>, { category, content, evidence }: AcceptedMemory) {
  const at = ctx.clock.now().toISOString()
  const id = ctx.clock.ulid()
  const row = {
    id,
    user: ctx.user,
    category,
    content,
    evidence: evidenceOf(ctx, evidence),
    createdAt: at,
    updatedAt: at,
  }
  const { memories } = await ctx.analystState()
  const older = supersededRow(row, await memories.active(ctx.user))
  await memories.apply(ctx.user, [{ kind: 'add', row, ...(older !== undefined && { supersedes: older.id }) }])
  return { status: 'remembered' as const, id }
}

/** Drafts a memory that stays pending until a person approves it: an agent may follow instructions in a text. */
async function draft(ctx: Given<'analyst'>, { category, content, evidence }: AcceptedMemory, project: string) {
  const { feedback } = await ctx.analystState()
  const waiting = await feedback.inbox({ user: ctx.user, kind: 'memory' })
  const known = waiting.find(({ body }) => isSaidAlike(readMemoryDraft(body)?.content ?? '', content))
  if (known !== undefined) return { status: 'waiting' as const, id: known.id }
  const one: Draft = {
    id: ctx.clock.ulid(),
    user: ctx.user,
    project,
    folder: ctx.cwd,
    kind: 'memory',
    title: ellipsis(content, 200),
    body: memoryDraftBody({ category, content, evidence: evidenceOf(ctx, evidence), scope: 'user' }),
    from: {},
    siblings: [],
    at: ctx.clock.now().toISOString(),
  }
  await feedback.draft([one])
  return { status: 'waiting' as const, id: one.id }
}
