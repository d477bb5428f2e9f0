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
  /** `project`: only where it was learned. */
  scope: z.enum(['user', 'project']).default('user'),
})

/** A memory that waits in the inbox for a person's yes. */
export type MemoryDraft = z.output<typeof shape>

export const memoryDraftBody = (draft: MemoryDraft): string => JSON.stringify(draft, null, 2)

/** Undefined for a text that is no such draft. */
export function readMemoryDraft(body: string): MemoryDraft | undefined {
  try {
    return shape.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
