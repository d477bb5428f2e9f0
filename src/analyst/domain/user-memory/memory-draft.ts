import { z } from 'zod'
import { MEMORY_CATEGORIES } from './memory-row.ts'

const shape = z.object({
  category: z.enum(MEMORY_CATEGORIES),
  content: z.string().min(1).max(1_000),
  evidence: z.object({
    words: z.string(),
    chat: z.string().exactOptional(),
    message: z.string().exactOptional(),
    source: z.string().exactOptional(),
  }),
  /** `project`: only where learned. */
  scope: z.enum(['user', 'project']).default('user'),
})

/** A memory in the inbox, pending a person's review. */
export type MemoryDraft = z.output<typeof shape>

export const memoryDraftBody = (draft: MemoryDraft): string => JSON.stringify(draft, null, 2)

/** Undefined if the text is not such a draft. */
export function readMemoryDraft(body: string): MemoryDraft | undefined {
  try {
    return shape.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
