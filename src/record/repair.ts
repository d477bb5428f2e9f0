import type { Call } from '../kernel/ports/call.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { rewriteDecision } from './domain/decision/rewrite.ts'
import type { Flaw } from './domain/doctor.ts'
import { HASHES, decisionPath } from './domain/files.ts'
import { joinedPaths, mendMerged } from './domain/merge-repair.ts'
import { snapshotName } from './domain/snapshot/snapshot.ts'
import { findFlaws } from './find-flaws.ts'
import type { Draft, KeptText, Store } from './ports/store.ts'
import { entryOf } from './read-decision.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'

/** A file that differs from the journal, and its journalled text. */
export interface Difference {
  readonly path: string
  /** Undefined if the file is missing or not text. */
  readonly now: string | undefined
  readonly kept: KeptText
}

interface TakeBackPlan {
  readonly back: readonly Difference[]
  /** Readable edits: a person decides which version is right. */
  readonly shown: readonly Difference[]
}

export interface Repaired {
  readonly mended: string[]
  readonly left: { path: string; message: string; reason: string }[]
  /** Files that differ, or differed, from the journal. */
  readonly differences: readonly Difference[]
}

/** Repairs everything that can be repaired safely, and reports the reason for the rest. */
export async function repairRecord(
  ctx: Call,
  store: Store,
  { take_back, dry_run }: { take_back: boolean; dry_run: boolean },
): Promise<Repaired> {
  const plan = await planTakeBack(store, take_back)
  if (!dry_run && plan.back.length > 0) await takeBack(ctx, store, plan.back)
  const taken = new Set(plan.back.map(({ path }) => path))
  // In a dry run hash index flaws are excluded: restoring decisions would rebuild the index.
  const flaws = (await findFlaws(store)).filter(
    (flaw) => !taken.has(flaw.path) && !(dry_run && taken.size > 0 && flaw.kind === 'hash-index'),
  )
  const suspects = await suspectsOf(store, taken)
  const mendable = flaws.filter((flaw) => flaw.repair !== undefined && whyNot(flaw, suspects) === undefined)
  const left = flaws.filter((flaw) => !mendable.includes(flaw))
  if (!dry_run && mendable.length > 0) await mend(ctx, store, mendable)
  return {
    mended: [
      ...plan.back.map(({ path, kept }) => `${path}: taken back from ${kept.holder}`),
      ...mendable.map((flaw) => `${flaw.path}: ${flaw.repair}`),
    ],
    left: await Promise.all(
      left.map(async (flaw) => ({
        path: flaw.path,
        message: flaw.message,
        reason: (flaw.repair && whyNot(flaw, suspects)) ?? (await reasonFor(store, flaw)),
      })),
    ),
    differences: [...plan.back, ...plan.shown],
  }
}

/**
 * Files that can be restored exactly as journalled. Only changes that cannot have been intended are restored without
 * asking.
 */
async function planTakeBack(store: Store, everyEdit: boolean): Promise<TakeBackPlan> {
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

async function takeBack(
  ctx: Pick<Call, 'clock' | 'origin'>,
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

/**
 * Paths with bytes that the journal does not cover. Texts that git has just merged are excluded: a repair is meant to
 * settle them.
 */
async function suspectsOf(store: Store, taken: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const joined = new Set(joinedPaths(await store.journal()))
  const found = await store.verify()
  return new Set(found.map(({ path }) => path).filter((path) => !taken.has(path) && !joined.has(path)))
}

/**
 * A repair must not legitimise bytes that the journal does not cover, directly or by using the contents of such a file.
 */
function whyNot(flaw: Flaw, suspects: ReadonlySet<string>): string | undefined {
  const isConcerned = (path: string) => {
    // Renumbering changes every text.
    return flaw.kind === 'duplicate-number' ? path !== HASHES : path.startsWith('decisions/')
  }
  const inDoubt = [...suspects].filter(isConcerned)
  return inDoubt.length === 0
    ? undefined
    : `First settle what differs from the journal: ${inDoubt.join(', ')}. \`ken accept\` keeps it as it is.`
}

async function reasonFor(store: Store, { kind, path }: Flaw): Promise<string> {
  if (kind === 'unknown') return '`ken accept` takes it into the record; or delete it.'
  if (kind === 'journal' || kind === 'snapshot')
    return 'Bring the file back from a backup or from git, or accept what is left of it with `ken accept --history`.'
  if (kind !== 'edited' && kind !== 'missing')
    return 'Only a person knows what was meant; edit the file and run `ken doctor` again.'
  if ((await store.care.lastKnown(path)) !== undefined)
    return 'Both texts are sound: Keep the edit with `ken accept`, or undo it with `ken repair --take-back`.'
  const older = await store.care.newestSnapshot(path)
  const nowhere = 'No snapshot and no commit holds exactly what the journal knew.'
  return older === undefined
    ? `${nowhere} \`ken accept\` keeps it as it is.`
    : `${nowhere} An older text is in ${snapshotName(older)}: \`ken restore ${snapshotName(older)} --files ${path}\`.`
}

async function mend(ctx: Call, store: Store, flaws: readonly Flaw[]): Promise<void> {
  if (flaws.some((flaw) => flaw.kind === 'duplicate-number')) await renumberTwins(ctx, store)
  const others = flaws.filter((flaw) => flaw.kind !== 'duplicate-number')
  if (others.length > 0) await mendFiles(ctx, store, others)
}

/** The oldest decision keeps the number, the others get new ones above all, and references to them are updated. */
async function renumberTwins(ctx: Call, store: Store): Promise<void> {
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    await mendMerged(await store.list(), await store.journal(), { draft })
  })
}

async function mendFiles(ctx: Call, store: Store, flaws: readonly Flaw[]): Promise<void> {
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    for (const flaw of flaws) if (flaw.kind === 'contradiction') await finishSupersession(draft, flaw)
    if (flaws.some((flaw) => flaw.kind === 'hash-index'))
      await rebuildHashIndex(ctx, store, draft, { isTrusted: false })
    draft.note('repair', {})
    draft.snapshot('repair')
  })
}

async function finishSupersession(draft: Draft, flaw: Flaw): Promise<void> {
  const newer = parseDecision((await draft.read(flaw.path)) ?? '', flaw.path.split('/').at(-1)!)
  const target = entryOf((await draft.catalogue()).decisions, Number(newer.supersedes))
  if (target === undefined) return
  const old = parseDecision((await draft.read(decisionPath(target.stem))) ?? '', `${target.stem}.md`)
  draft.write(
    decisionPath(target.stem),
    rewriteDecision(old, { status: 'superseded', superseded_by: String(newer.num) }),
  )
}
