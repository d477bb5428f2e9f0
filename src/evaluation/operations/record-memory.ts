import { contentWords } from '../../analyst/domain/user-memory/content-words.ts'
import type { MemoryRow } from '../../analyst/domain/user-memory/memory-row.ts'
import { memorySwitches } from '../../analyst/operations/memory-switches.ts'
import { visible } from '../../kernel/domain/trust/visible.ts'
import type { Given } from '../../operations/context.ts'
import { caseName } from '../domain/case-text.ts'
import { turnNamed, type Recorded, type RecordOptions } from './record-chat.ts'

const MOST_WORDS = 4

/**
 * Turns the memories learned in a chat into a case. Of all other memories, only the memories that they replaced are
 * written to the file; all others are private.
 */
export async function recordMemory(
  ctx: Given<'analyst' | 'context'>,
  named: string,
  options: RecordOptions,
): Promise<Recorded> {
  const state = await ctx.analystState()
  const { chat, said } = await turnNamed(ctx, state, named)
  const all = await state.memories.all(ctx.user)
  const messages = new Set((await state.log.messages(chat.id)).map(({ id }) => id))
  const isOfIt = ({ evidence }: MemoryRow): boolean =>
    evidence.chat === chat.id && (evidence.message === undefined || messages.has(evidence.message))
  const learned = all.filter((row) => isOfIt(row) && isHeld(row)).toReversed()
  const replaced = all.filter((row) => !isOfIt(row) && learned.some(({ id }) => id === row.supersededBy))
  const isInjected = (await memorySwitches(ctx)).uses && learned.length > 0
  return {
    written: {
      about: `Recorded on ${ctx.clock.now().toISOString().slice(0, 10)}.`,
      fields: {
        name: options.name ?? caseName(`What is learned from: ${said.at(-1)!}`, options.taken),
        kind: 'memory',
        ...(options.tags.length > 0 && { tags: [...options.tags] }),
        ...(replaced.length > 0 && {
          given: replaced.map(({ category, content }) => ({ category, content: visible(content) })),
        }),
        conversation: said.map(visible),
        ...(learned.length > 0 && {
          expected: learned.map((row) => ({ category: row.category, contains: wordsOf(row) })),
        }),
        most: learned.length,
        ...(isInjected && { next: { injected: learned.map((row) => wordsOf(row)[0]!) } }),
      },
      quotes: [{ title: 'What was remembered:', text: learned.map(({ content }) => content).join('\n') }],
    },
    notes: learned.length === 0 ? ['Nothing was learned in that chat: the case says that nothing is.'] : [],
  }
}

const isHeld = ({ supersededBy, forgottenAt }: MemoryRow): boolean =>
  supersededBy === undefined && forgottenAt === undefined

/** Words of a row that the person used, longest first: another model may phrase the others differently. */
function wordsOf({ content, evidence }: MemoryRow): readonly string[] {
  const said = new Set(tokens(evidence.words).map((word) => word.toLowerCase()))
  const own = tokens(content).filter((word) => said.has(word.toLowerCase()) && contentWords(word).length > 0)
  const words = [...new Set(own)].toSorted((a, b) => b.length - a.length).slice(0, MOST_WORDS)
  return words.length > 0 ? words : [visible(content).replace(/[.!?…]+$/, '')]
}

const tokens = (text: string): readonly string[] => text.normalize('NFC').match(/[\p{L}\p{N}]{2,}/gu) ?? []
