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
  /** `project`: applies only in the project where it was learned. */
  scope: z.enum(['user', 'project']).default('user'),
})

/** A memory in the inbox, pending a person's review. */
export type MemoryDraft = z.output<typeof shape>

export const memoryDraftBody = (draft: MemoryDraft): string => JSON.stringify(draft, null, 2)

/** Parses a draft; undefined if the text is not one. */
export function readMemoryDraft(body: string): MemoryDraft | undefined {
  try {
    return shape.safeParse(JSON.parse(body)).data
  } catch {
    return undefined
  }
}
