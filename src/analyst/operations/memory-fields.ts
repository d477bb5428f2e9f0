import { z } from 'zod'
import { AppError } from '../../kernel/domain/errors.ts'
import { operationNamed } from '../../kernel/domain/named-operation.ts'
import { isPerson } from '../../kernel/domain/origin.ts'
import { PLAIN, type View } from '../../kernel/domain/view/view.ts'
import type { Given } from '../../operations/context.ts'
import { folded } from '../domain/user-memory/content-words.ts'
import { MEMORY_CATEGORIES, type MemoryRow } from '../domain/user-memory/memory-row.ts'
import { projectKey } from './project-key.ts'

/** A memory as returned by every memory operation. */
export const memoryFields = {
  id: z.string(),
  category: z.enum(MEMORY_CATEGORIES),
  content: z.string(),
  scope: z.enum(['user', 'project']),
  project: z.string().optional(),
  words: z.string().describe('The user’s words.'),
  chat: z.string().optional(),
  source: z.string().optional(),
  state: z.enum(['holds', 'superseded', 'forgotten']),
  superseded_by: z.string().optional(),
  created_at: z.string(),
}

const memory = z.object(memoryFields)
export type ShownMemory = z.output<typeof memory>

export const shownMemory = (row: MemoryRow): ShownMemory => ({
  id: row.id,
  category: row.category,
  content: row.content,
  scope: row.project === undefined ? 'user' : 'project',
  ...(row.project !== undefined && { project: row.project }),
  words: row.evidence.words,
  ...(row.evidence.chat !== undefined && { chat: row.evidence.chat }),
  ...(row.evidence.source !== undefined && { source: row.evidence.source }),
  state: row.forgottenAt !== undefined ? 'forgotten' : row.supersededBy !== undefined ? 'superseded' : 'holds',
  ...(row.supersededBy !== undefined && { superseded_by: row.supersededBy }),
  created_at: row.createdAt,
})

export const memoryField = {
  memory: z.string().trim().min(1).max(200).describe('Its id as listed, or words it contains.'),
}

const SHORTEST_END = 4
const SHOWN_END = 6

/** Short form of an id: its end, as the beginning is the time. */
export const shortId = (id: string): string => id.slice(-SHOWN_END).toLowerCase()

/**
 * All memories of this user, including inactive ones. A server serves only one project and omits memories of other
 * projects.
 */
export async function memoriesOffered(ctx: Given<'analyst'>): Promise<readonly MemoryRow[]> {
  const rows = await (await ctx.analystState()).memories.all(ctx.user)
  if (isPerson(ctx.origin)) return rows
  const here = await projectKey(ctx)
  return rows.filter(({ project }) => project === undefined || project === here)
}

/** The one memory of this user identified by an id, the end of one, or words. Words match only active ones. */
export async function memoryNamed(ctx: Given<'analyst'>, named: string): Promise<MemoryRow> {
  const wanted = named.toUpperCase()
  const rows = await memoriesOffered(ctx)
  const byId = rows.filter(
    ({ id }) => id.toUpperCase() === wanted || (wanted.length >= SHORTEST_END && id.toUpperCase().endsWith(wanted)),
  )
  const byWords = (): readonly MemoryRow[] =>
    rows.filter((row) => shownMemory(row).state === 'holds' && folded(row.content).includes(folded(named)))
  const found = byId.length > 0 ? byId : byWords()
  if (found.length === 1) return found[0]!
  throw found.length === 0
    ? new AppError('not_found', `No memory matches "${named}".`, {
        hint: `List ids with ${operationNamed('memories_list')}.`,
      })
    : new AppError('conflict', `"${named}" matches ${found.length} memories.`, {
        hint: `Use the id of one: ${found
          .slice(0, 5)
          .map(({ id }) => shortId(id))
          .join(', ')}.`,
      })
}

const NAMES = { global_rule: 'Rules', personal_fact: 'About you' } as const

/** Memories as a list, rules first. */
export function renderMemories(memories: readonly ShownMemory[], view: View = PLAIN): string {
  return MEMORY_CATEGORIES.flatMap((category) => {
    const own = memories.filter((one) => one.category === category)
    return own.length === 0
      ? []
      : [[view.mark('title', NAMES[category]), ...own.map((one) => line(one, view))].join('\n')]
  }).join('\n\n')
}

function line({ id, content, scope, state, words }: ShownMemory, view: View): string {
  const marks = [...(scope === 'project' ? ['this project'] : []), ...(state === 'holds' ? [] : [state])]
  const said = same(words, content) ? '' : `\n          ${view.mark('dim', `you said: "${words}"`)}`
  return `  ${view.mark('dim', shortId(id))}  ${content}${marks.length === 0 ? '' : ` ${view.mark('dim', `(${marks.join(', ')})`)}`}${said}`
}

const same = (a: string, b: string): boolean => plain(a) === plain(b)
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s.!]+/g, ' ')
    .trim()
