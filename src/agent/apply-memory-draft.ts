import { AppError } from '../core/errors.ts'
import type { Draft } from '../core/feedback/feedback.ts'
import { isSaidAlike } from '../core/user-memory/content-words.ts'
import { readMemoryDraft } from '../core/user-memory/memory-draft.ts'
import type { MemoryRow } from '../core/user-memory/memory-row.ts'
import type { UserMemories } from '../ports/user-memories.ts'

/** Remembers what a draft of the kind `memory` says, because a person said yes to it. Gives the row that holds then. */
export async function applyMemoryDraft(
  memories: UserMemories,
  draft: Draft,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<MemoryRow> {
  const read = readMemoryDraft(draft.body)
  if (read === undefined) throw new AppError('damaged', `The draft ${draft.id} is no memory.`, { hint: 'Dismiss it.' })
  const { category, content, evidence, scope } = read
  const known = (await memories.active(draft.user, draft.project)).find((row) => isSaidAlike(row.content, content))
  if (known !== undefined) return known
  const row: MemoryRow = {
    id,
    user: draft.user,
    ...(scope === 'project' && { project: draft.project }),
    category,
    content,
    evidence,
    createdAt: at,
    updatedAt: at,
  }
  await memories.apply(draft.user, [{ kind: 'add', row }])
  return row
}
