import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { findHidden } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { defineOperation, NOT_FOR_AGENTS } from '../../operations/operation.ts'
import { saysNothing } from '../domain/says-nothing.ts'
import { isSaidAlike } from '../domain/user-memory/content-words.ts'
import { tidy } from '../domain/user-memory/judge-proposals.ts'
import { MEMORY_CATEGORIES, type MemoryCategory, type MemoryRow } from '../domain/user-memory/memory-row.ts'
import { isSelfStatement } from '../domain/user-memory/self-statement.ts'
import { isStandingInstruction } from '../domain/user-memory/standing-instruction.ts'
import { supersededRow } from '../domain/user-memory/superseded-row.ts'
import type { UserMemories } from '../ports/user-memories.ts'
import { memoriesOffered, memoryFields, memoryField, memoryNamed, shortId, shownMemory } from './memory-fields.ts'
import { projectKey } from './project-key.ts'

const contentField = z.string().trim().min(4).max(1_000)

export const memoriesAdd = defineOperation({
  name: 'memories_add',
  title: 'Add a memory',
  summary: 'Add a preference or fact about you, for every project.',
  details:
    'An instruction is stored as a rule, a statement about yourself as a fact; --category decides if Ken cannot. An older memory that it clearly contradicts is superseded.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['content'],
  input: {
    content: contentField.describe('One sentence, e.g. Show amounts in euros.'),
    category: z.enum(MEMORY_CATEGORIES).optional(),
    here: z.boolean().default(false).describe('Only in this project.'),
  },
  output: {
    ...memoryFields,
    superseded: z
      .object({ id: z.string(), content: z.string() })
      .optional()
      .describe('Older memory that it contradicts and supersedes.'),
  },
  examples: [{ title: 'A wish', input: { content: 'Always show amounts in euros.' } }],
  async run(ctx, input) {
    const { memories } = await ctx.analystState()
    const content = keepable(input.content)
    const project = await projectKey(ctx)
    const active = await memories.active(ctx.user, project)
    const known = active.find((row) => isSaidAlike(row.content, content))
    if (known !== undefined)
      throw new AppError('conflict', `Already remembered: ${known.content}`, {
        hint: `Edit it with ${operationNamed('memories_edit', shortId(known.id))}.`,
      })
    const at = ctx.clock.now().toISOString()
    const row: MemoryRow = {
      id: ctx.clock.ulid(),
      user: ctx.user,
      ...(input.here && { project }),
      category: input.category ?? categoryOf(content),
      content,
      evidence: { words: input.content, source: ctx.origin.surface },
      createdAt: at,
      updatedAt: at,
    }
    const older = supersededRow(row, active)
    await memories.apply(ctx.user, [{ kind: 'add', row, ...(older !== undefined && { supersedes: older.id }) }])
    return {
      ...shownMemory(row),
      ...(older !== undefined && { superseded: { id: older.id, content: older.content } }),
    }
  },
  render: ({ content, category, id, superseded }) =>
    [
      `Remembered as a ${category === 'global_rule' ? 'rule' : 'fact'} (${shortId(id)}): ${content}`,
      ...(superseded === undefined
        ? []
        : [`Superseded by it: ${superseded.content} ${operationNamed('memories_undo')} takes both back.`]),
    ].join('\n'),
})

const categoryOf = (content: string): MemoryCategory =>
  isSelfStatement(content) && !isStandingInstruction(content) ? 'personal_fact' : 'global_rule'

/** Accepts a memory written by a person, unless it would show a secret or hidden characters to every later model. */
function keepable(text: string): string {
  if (saysNothing(text))
    throw new AppError('invalid_input', `"${text}" is too short to remember.`, {
      hint: 'Use one sentence, e.g. Show amounts in euros.',
    })
  if (text.includes('[redacted]'))
    throw new AppError('invalid_input', 'The memory contains a secret. Not saved.', { hint: 'Remove it.' })
  const hidden = findHidden(text)
  if (hidden !== undefined)
    throw new AppError('invalid_input', `The text contains ${hidden.name} at character ${hidden.position}.`, {
      hint: 'Type it again, without invisible characters.',
    })
  return tidy(text)
}

export const memoriesEdit = defineOperation({
  name: 'memories_edit',
  title: 'Edit a memory',
  summary: 'Edit a memory.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['memory', 'content'],
  input: { ...memoryField, content: contentField.optional().describe('The new text.') },
  output: { ...memoryFields, before: z.string(), changed: z.boolean() },
  examples: [
    { title: 'A clearer sentence', input: { memory: 'pie charts', content: 'Never use pie or doughnut charts.' } },
  ],
  async run(ctx, input) {
    const row = await memoryNamed(ctx, input.memory)
    if (row.forgottenAt !== undefined || row.supersededBy !== undefined)
      throw new AppError('conflict', 'It no longer holds.', {
        hint: `Add it again with ${operationNamed('memories_add')}, or undo the last change with ${operationNamed('memories_undo')}.`,
      })
    const content = keepable(input.content ?? (await edited(ctx, row)))
    const changed = content !== row.content
    const at = ctx.clock.now().toISOString()
    const { memories } = await ctx.analystState()
    if (changed) await memories.apply(ctx.user, [{ kind: 'edit', id: row.id, content, at }])
    return { ...shownMemory({ ...row, content, updatedAt: at }), before: row.content, changed }
  },
  render: ({ changed, content }) => (changed ? `Now: ${content}` : `It stays: ${content}`),
})

async function edited(ctx: Given, row: MemoryRow): Promise<string> {
  if (ctx.editText === undefined)
    throw new AppError('invalid_input', 'content is missing.', { hint: 'Pass the new text after the id.' })
  const text = (await ctx.editText(`${row.content}\n`, `memory-${shortId(row.id)}.md`)).trim()
  return text === '' ? row.content : text
}

export const memoriesForget = defineOperation({
  name: 'memories_forget',
  title: 'Forget a memory',
  summary: 'Delete a memory; `ken memories undo` restores it.',
  details:
    'If it had superseded an older memory, Ken asks whether to restore that one (--revive, --no-revive). --erase deletes the words permanently, including from the history; the chat they come from keeps them until you delete it.',
  effect: 'write',
  fromPage: 'free',
  destructive: true,
  withoutRoom: true,
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  positional: ['memory'],
  input: {
    ...memoryField,
    revive: z.boolean().optional().describe('Restore the older memory it superseded.'),
    erase: z.boolean().default(false).describe('Delete permanently (cannot be undone).'),
    yes: z.boolean().default(false).describe('Delete permanently without asking.'),
  },
  output: {
    id: z.string(),
    content: z.string(),
    erased: z.boolean(),
    revived: z.array(z.object({ id: z.string(), content: z.string() })),
    hidden: z.array(z.object({ id: z.string(), content: z.string() })).describe('Superseded by it, and not revived.'),
  },
  examples: [{ title: 'One of them', input: { memory: 'pie charts' } }],
  async run(ctx, input) {
    const row = await memoryNamed(ctx, input.memory)
    const { memories } = await ctx.analystState()
    const older = (await memories.all(ctx.user)).filter(
      ({ supersededBy, forgottenAt }) => supersededBy === row.id && forgottenAt === undefined,
    )
    if (input.erase && !input.yes && (await ctx.confirm?.(`Erase "${row.content}" for good?`)) !== true)
      throw new AppError('invalid_input', 'Nothing was erased.', { hint: 'Pass --yes to delete it permanently.' })
    const revive = older.length > 0 && (input.revive ?? (await askRevival(ctx, older)))
    const at = ctx.clock.now().toISOString()
    await memories.apply(ctx.user, [
      { kind: 'forget', id: row.id, at, revive },
      ...(input.erase ? [{ kind: 'erase' as const, id: row.id, at }] : []),
    ])
    const told = older.map(({ id, content }) => ({ id, content }))
    return {
      id: row.id,
      content: input.erase ? '' : row.content,
      erased: input.erase,
      revived: revive ? told : [],
      hidden: revive ? [] : told,
    }
  },
  render({ content, erased, revived, hidden, id }) {
    return [
      erased ? 'Erased for good.' : `Forgotten: ${content} ${operationNamed('memories_undo')} takes it back.`,
      ...revived.map((one) => `Holds again: ${one.content}`),
      ...hidden.map(
        (one) =>
          `It had superseded "${one.content}", which stays hidden${erased ? '' : `; \`ken memories forget ${shortId(id)} --revive\` brings it back`}.`,
      ),
    ].join('\n')
  },
})

const askRevival = async (ctx: Given, older: readonly MemoryRow[]): Promise<boolean> =>
  (await ctx.confirm?.(
    `It had superseded "${older.map(({ content }) => content).join('", "')}". Shall that hold again?`,
  )) === true

/** Rejects memories of another project on a server, which serves only one. */
async function mustBeOfHere(ctx: Given<'analyst'>, memories: UserMemories): Promise<void> {
  const last = (await memories.history(ctx.user)).find(({ kind, undone }) => kind !== 'undo' && !undone)
  if (last === undefined) return
  const offered = await memoriesOffered(ctx)
  const row = await memories.find(last.memory, ctx.user)
  if (row === undefined || offered.some(({ id }) => id === row.id)) return
  throw new AppError('forbidden', 'The last change belongs to another project.', {
    hint: 'Undo it there, or at a terminal.',
  })
}

export const memoriesUndo = defineOperation({
  name: 'memories_undo',
  title: 'Undo the last change of memories',
  summary: 'Undo the last change to your memories.',
  effect: 'write',
  fromPage: 'free',
  words: 'own',
  needs: ['analyst'],
  onServer: {},
  hiddenFrom: NOT_FOR_AGENTS,
  input: {},
  output: {
    undone: z.boolean(),
    kind: z.string().optional(),
    before: z.string().optional(),
    after: z.string().optional(),
    holds_again: z.array(z.string()).describe('Memories that the undone change had superseded.'),
  },
  examples: [{ title: 'The last one', input: {} }],
  async run(ctx) {
    const { memories } = await ctx.analystState()
    await mustBeOfHere(ctx, memories)
    const event = await memories.undo(ctx.user, ctx.clock.now().toISOString())
    if (event === undefined) return { undone: false, holds_again: [] }
    const { change, kind, before, after } = event
    const superseded = (await memories.history(ctx.user)).filter(
      (one) => one.change === change && one.kind === 'supersede',
    )
    return {
      undone: true,
      kind,
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      holds_again: superseded.flatMap((one) => one.before ?? one.after ?? []),
    }
  },
  render({ undone, kind, before, after, holds_again: again }) {
    if (!undone) return 'There is nothing to take back.'
    if (kind === 'add')
      return [`No longer remembered: ${after ?? ''}`, ...again.map((content) => `Holds again: ${content}`)].join('\n')
    return kind === 'forget' ? `Remembered again: ${before ?? after ?? ''}` : `Taken back (${kind}): ${before ?? ''}`
  },
})
