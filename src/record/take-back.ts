import { HASHES } from '../core/record/files.ts'
import type { Context } from '../ports/context.ts'
import type { KeptText, Store } from '../ports/store.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'

/** A file that is not as the journal knew it, and the text that it knew. */
export interface Difference {
  readonly path: string
  /** Undefined when the file is gone, or is not text. */
  readonly now: string | undefined
  readonly kept: KeptText
}

export interface TakeBackPlan {
  readonly back: readonly Difference[]
  /** Edits that can be read: a person says which is right. */
  readonly shown: readonly Difference[]
}

/**
 * What can be had again exactly as the journal knew it. Only what nobody can have meant is taken back without being
 * asked for.
 */
export async function planTakeBack(store: Store, everyEdit: boolean): Promise<TakeBackPlan> {
  const found = (await store.verify()).filter(
    ({ kind, path }) =>
      (kind === 'edited' || kind === 'missing') && path !== HASHES && !/^(?:journal|snapshots)\//.test(path),
  )
  const unreadable = new Set((await store.catalogue()).unreadable.map((file) => file.path))
  const [back, shown]: [Difference[], Difference[]] = [[], []]
  for (const { path } of found) {
    const kept = await store.care.lastKnown(path)
    if (kept === undefined) continue
    const now = await store.read(path).catch(() => undefined)
    const isMeant = now !== undefined && !unreadable.has(path)
    ;(isMeant && !everyEdit ? shown : back).push({ path, now, kept })
  }
  return { back, shown }
}

export async function takeBack(
  ctx: Pick<Context, 'clock' | 'origin'>,
  store: Store,
  differences: readonly Difference[],
): Promise<void> {
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    for (const { path, kept } of differences) draft.write(path, kept.text)
    const paths = differences.map(({ path }) => path)
    if (paths.some((path) => path.startsWith('decisions/'))) await rebuildHashIndex(ctx, store, draft, { more: paths })
    draft.note('repair', { taken_back: Object.fromEntries(differences.map(({ path, kept }) => [path, kept.holder])) })
    draft.snapshot('repair')
  })
}
