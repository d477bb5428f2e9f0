import { operationNamed } from '../kernel/domain/named-operation.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Lease } from '../kernel/ports/lease.ts'
import type { MemoryAnswer, MemoryQuestion } from './ports/memory.ts'
import type { SearchParts } from './search.ts'

// A share of an answering index too small to mention with every answer: some files that changed just now.
const NEGLIGIBLE = 0.02

/**
 * Searches, and adds a note if texts have no vector yet and could not be found by meaning. If none has one, a question
 * by meaning is answered by words.
 */
export async function searchWithVectors<Q extends MemoryQuestion, A extends MemoryAnswer>(
  parts: SearchParts & { readonly lease: Lease },
  question: Q,
  search: (parts: SearchParts, question: Q) => Promise<A>,
): Promise<A> {
  const answer = await search(parts, question)
  // The embedder is available by now, or the notes give the reason.
  if (!answer.stages.includes('semantic')) return answer
  const { chunks, vectors } = await parts.index.status()
  const pending = chunks - (vectors[(await parts.embedder())?.id ?? ''] ?? 0)
  if (pending <= 0 || (answer.hits.length > 0 && pending < NEGLIGIBLE * chunks)) return answer
  const isBare = pending === chunks
  const said = isBare && question.by === 'meaning' ? await search(parts, { ...question, by: 'words' }) : answer
  const lacking = isBare
    ? `None of ${plural(chunks, 'part')} has a vector yet, so only words were compared`
    : `${pending} of ${plural(chunks, 'part')} have no vector yet and were compared by words at most`
  const remedy = isBeingUpdated(parts.lease)
    ? 'they are being made right now'
    : `${operationNamed('memory_update')} makes them`
  return { ...said, notes: [...said.notes, `${lacking}; ${remedy}.`], pending }
}

/** By another process, or by another caller of this one. */
function isBeingUpdated(lease: Lease): boolean {
  try {
    const release = lease.tryTake()
    release?.()
    return release === undefined
  } catch {
    return false
  }
}
