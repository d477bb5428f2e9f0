import { parseDecision } from '../core/decision/parse.ts'
import { rewriteDecision } from '../core/decision/rewrite.ts'
import type { Flaw } from '../core/record/doctor.ts'
import { HASHES, decisionPath } from '../core/record/files.ts'
import { joinedPaths, mendMerged } from '../core/record/merge-repair.ts'
import { snapshotName } from '../core/snapshot/snapshot.ts'
import type { Context } from '../ports/context.ts'
import type { Draft, KeptText, Store } from '../ports/store.ts'
import { findFlaws } from './find-flaws.ts'
import { entryOf } from './read-decision.ts'
import { rebuildHashIndex } from './rebuild-hash-index.ts'

/** A file that is not as the journal knew it, and the text that it knew. */
export interface Difference {
  readonly path: string
  /** Undefined when the file is gone, or is not text. */
  readonly now: string | undefined
  readonly kept: KeptText
}

interface TakeBackPlan {
  readonly back: readonly Difference[]
  /** Edits that can be read: a person says which is right. */
  readonly shown: readonly Difference[]
}

export interface Repaired {
  readonly mended: string[]
  readonly left: { path: string; message: string; reason: string }[]
  /** Files that are, or were, not as the journal knew them. */
  readonly differences: readonly Difference[]
}

/** Mends what can be mended safely, and says of the rest why it is left. */
export async function repairRecord(
  ctx: Context,
  store: Store,
  { take_back, dry_run }: { take_back: boolean; dry_run: boolean },
): Promise<Repaired> {
  const plan = await planTakeBack(store, take_back)
  if (!dry_run && plan.back.length > 0) await takeBack(ctx, store, plan.back)
  const taken = new Set(plan.back.map(({ path }) => path))
  // Taking decisions back rebuilds the hash index.
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
 * What can be had again exactly as the journal knew it. Only what nobody can have meant is taken back without being
 * asked for.
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

/**
 * Paths whose bytes the journal does not know. Texts that git has just joined are none: settling them is what a repair
 * is for.
 */
async function suspectsOf(store: Store, taken: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const joined = new Set(joinedPaths(await store.journal()))
  const found = await store.verify()
  return new Set(found.map(({ path }) => path).filter((path) => !taken.has(path) && !joined.has(path)))
}

/** Mending a file, or by what a file says, must not make bytes good that the journal does not know. */
function whyNot(flaw: Flaw, suspects: ReadonlySet<string>): string | undefined {
  const isConcerned = (path: string) => {
    // Renumbering goes through every text.
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
    return 'Both texts are sound: `ken accept` keeps the edit, `ken repair --take-back` undoes it.'
  const older = await store.care.newestSnapshot(path)
  const nowhere = 'No snapshot and no commit holds exactly what the journal knew.'
  return older === undefined
    ? `${nowhere} \`ken accept\` keeps it as it is.`
    : `${nowhere} An older text is in ${snapshotName(older)}: \`ken restore ${snapshotName(older)} --files ${path}\`.`
}

async function mend(ctx: Context, store: Store, flaws: readonly Flaw[]): Promise<void> {
  if (flaws.some((flaw) => flaw.kind === 'duplicate-number')) await renumberTwins(ctx, store)
  const others = flaws.filter((flaw) => flaw.kind !== 'duplicate-number')
  if (others.length > 0) await mendFiles(ctx, store, others)
}

/** The oldest keeps the number, the others go above all, and what refers to them follows. */
async function renumberTwins(ctx: Context, store: Store): Promise<void> {
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    await mendMerged(await store.list(), await store.journal(), { draft })
  })
}

async function mendFiles(ctx: Context, store: Store, flaws: readonly Flaw[]): Promise<void> {
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
