import { AppError } from '../kernel/domain/errors.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { type Decision, type RejectedAlternative, label } from './domain/decision/decision.ts'
import { inferredFrom, isInferred, reviewedReason } from './domain/decision/inferred.ts'
import { rewriteDecision } from './domain/decision/rewrite.ts'
import { decisionPath } from './domain/files.ts'
import type { Store } from './ports/store.ts'
import { readDecision, readDecisions } from './read-decision.ts'
import { refreshAgentsMd } from './refresh-agents-md.ts'
import { refuseFromClone } from './refuse-from-clone.ts'

/** A rejected alternative that an import inferred and no person has reviewed. */
export interface InferredRejection {
  readonly num: number
  readonly title: string
  readonly alternative: string
  /** The sentence it was inferred from. */
  readonly sentence: string
}

/** All inferred rejections in a record, by decision. */
export async function inferredRejections(store: Store): Promise<InferredRejection[]> {
  const { decisions } = await store.catalogue()
  const texts = await readDecisions(store, decisions)
  return decisions.flatMap(({ stem }) => inferredIn(texts.get(stem)))
}

export const inferredIn = (decision: Decision | undefined): InferredRejection[] =>
  (decision?.rejected ?? []).filter(isInferred).map((one) => ({
    num: decision!.num,
    title: decision!.title,
    alternative: one.name,
    sentence: inferredFrom(one)!,
  }))

export interface Review {
  /** Names of inferred alternatives that really were rejected; all of them if neither list is given. */
  readonly rejected?: readonly string[] | undefined
  /** Names of inferred alternatives that were not rejected: they are removed from the decision. */
  readonly not_rejected?: readonly string[] | undefined
  readonly dry_run: boolean
}

export interface Reviewed {
  readonly confirmed: readonly InferredRejection[]
  readonly removed: readonly InferredRejection[]
}

/** Records a person's review of alternatives inferred by an import. */
export async function reviewInferred(
  ctx: Call,
  store: Store,
  { entries, ...review }: Review & { entries: readonly CatalogueEntry[] },
): Promise<Reviewed> {
  const found = (await Promise.all(entries.map((entry) => judge(store, entry, review)))).flat()
  const named = found.flatMap(({ confirmed, removed }) => [...confirmed, ...removed])
  refuseUnknown(review, entries, named)
  const reviewed = {
    confirmed: found.flatMap((one) => one.confirmed),
    removed: found.flatMap((one) => one.removed),
  }
  if (review.dry_run || named.length === 0) return reviewed
  refuseFromClone(store)
  await store.commit(ctx.origin, async (draft) => {
    for (const { entry, confirmed, removed } of found) {
      const decision = await readDecision(draft, entry.stem)
      if (decision !== undefined && confirmed.length + removed.length > 0)
        draft.write(decisionPath(entry.stem), rewritten(decision, confirmed, removed))
    }
    const names = (all: readonly InferredRejection[]) =>
      all.map(({ num, alternative }) => `${label(num)} ${alternative}`)
    draft.note('review_import', { rejected: names(reviewed.confirmed), not_rejected: names(reviewed.removed) })
    draft.snapshot(`review: ${[...new Set(named.map(({ num }) => label(num)))].join(', ')}`)
  })
  await refreshAgentsMd(ctx, store)
  return reviewed
}

interface Judged extends Reviewed {
  readonly entry: CatalogueEntry
}

async function judge(store: Store, entry: CatalogueEntry, { rejected, not_rejected }: Review): Promise<Judged> {
  const all = inferredIn(await readDecision(store, entry.stem))
  const isAll = rejected === undefined && not_rejected === undefined
  return {
    entry,
    confirmed: all.filter(({ alternative }) => isAll || isAmong(alternative, rejected)),
    removed: all.filter(({ alternative }) => isAmong(alternative, not_rejected)),
  }
}

const isAmong = (name: string, names: readonly string[] | undefined): boolean =>
  names?.some((one) => one.trim().toLowerCase() === name.toLowerCase()) === true

function refuseUnknown(
  { rejected = [], not_rejected = [] }: Review,
  entries: readonly CatalogueEntry[],
  found: readonly InferredRejection[],
): void {
  const both = rejected.find((name) => isAmong(name, not_rejected))
  if (both !== undefined) throw new AppError('invalid_input', `"${both}" cannot be both rejected and not rejected.`)
  const unknown = [...rejected, ...not_rejected].find(
    (name) => !found.some(({ alternative }) => isAmong(alternative, [name])),
  )
  if (unknown === undefined) return
  const where = entries.map(({ num }) => label(num)).join(', ')
  throw new AppError('not_found', `${where} has no inferred rejection "${unknown}".`, {
    hint: '`ken import adr --review` lists them.',
  })
}

function rewritten(
  decision: Decision,
  confirmed: readonly InferredRejection[],
  removed: readonly InferredRejection[],
): string {
  const has = (all: readonly InferredRejection[], { name }: RejectedAlternative) =>
    all.some(({ alternative }) => alternative === name)
  return rewriteDecision(decision, {
    version: decision.version + 1,
    rejected: decision.rejected
      .filter((one) => !isInferred(one) || !has(removed, one))
      .map((one) => (has(confirmed, one) ? { name: one.name, reason: reviewedReason(one) } : one)),
  })
}
