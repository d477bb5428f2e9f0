import { AppError } from '../kernel/domain/errors.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import { findHidden } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { QUESTIONS } from './domain/files.ts'
import { conflictIn, keptText, type ConflictPlace } from './domain/merge-conflict.ts'
import { openQuestions, removeQuestion, stampQuestions } from './domain/question.ts'
import { faultOfText } from './edit-decision.ts'
import type { Draft, Store } from './ports/store.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'

/** A file that two machines changed, with both texts. */
export interface Conflict extends ConflictPlace {
  readonly question: string
  /** The text that is in force until the conflict is resolved. */
  readonly standing: string
  readonly other: string
  /** SHA-256 of the standing text. */
  readonly hash: string
}

/** Open conflicts for which both texts still exist, newest first. */
export async function conflictsIn(store: Pick<Store | Draft, 'read'>): Promise<Conflict[]> {
  const found: Conflict[] = []
  for (const { id, body } of openQuestions((await store.read(QUESTIONS)) ?? '')) {
    const place = conflictIn(body)
    if (place === undefined) continue
    const [standing, kept] = [await store.read(place.path), await store.read(place.kept)]
    const other = kept === undefined ? undefined : keptText(kept)
    if (standing !== undefined && other !== undefined)
      found.push({ ...place, question: id, standing, other, hash: sha256(standing) })
  }
  return found
}

export interface Resolution {
  readonly question: string
  readonly take: 'standing' | 'other' | { readonly text: string }
  /** SHA-256 of the current text; refused if it has changed since. */
  readonly expects?: string | undefined
}

/**
 * Writes the chosen text and closes the question, as one change. The other text stays in context/. A question about a
 * decision is resolved by it; a question about another file is removed.
 */
export async function settleConflict(
  ctx: Call,
  store: Store,
  resolution: Resolution,
): Promise<Conflict & { readonly text: string }> {
  const settled = await store.commit(ctx.origin, async (draft) => {
    const conflict = (await conflictsIn(draft)).find(({ question }) => question === resolution.question)
    if (conflict === undefined)
      throw new AppError('not_found', `No open conflict named "${resolution.question}".`, {
        hint: 'List conflicts with `ken conflicts`.',
      })
    const { path, standing, hash, question } = conflict
    if (resolution.expects !== undefined && resolution.expects !== hash)
      throw new AppError('conflict', `${path} has changed since you opened it. No changes.`, { hint: 'Reload it.' })
    const { take } = resolution
    const text = typeof take === 'string' ? conflict[take] : take.text
    const fault = faultOf(path, text)
    if (fault !== undefined) throw new AppError('invalid_input', fault, { hint: 'No changes.' })
    const decision = path.startsWith('decisions/') ? decisionNumber(path.slice('decisions/'.length)) : undefined
    if (text !== standing) draft.write(path, text)
    if (decision !== undefined && text !== standing) await rebuildHashIndex(ctx, store, draft)
    const questions = (await draft.read(QUESTIONS)) ?? ''
    const closed =
      decision === undefined
        ? { text: removeQuestion(questions, question) }
        : stampQuestions(questions, [question], decision, ctx.clock.now())
    if ('fault' in closed) throw new AppError('conflict', closed.fault)
    draft.write(QUESTIONS, closed.text)
    draft.note('resolve_conflict', { question, path, ...(decision !== undefined && { decision }) })
    draft.snapshot(`conflict resolved: ${path}`)
    return { ...conflict, text }
  })
  await refreshAgentsMd(ctx, store)
  return settled
}

function faultOf(path: string, text: string): string | undefined {
  const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
  if (stem !== undefined) return faultOfText(text, stem)
  const hidden = findHidden(text)
  return hidden && `The text contains ${hidden.name} at character ${hidden.position}.`
}
