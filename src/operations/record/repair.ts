import { z } from 'zod'
import { unifiedDiff } from '../../core/client/unified-diff.ts'
import { formatFaithfully } from '../../core/decision/format.ts'
import { splitUnknownKeys } from '../../core/decision/frontmatter.ts'
import { parseDecision } from '../../core/decision/parse.ts'
import type { Flaw } from '../../core/record/doctor.ts'
import { HASHES, decisionPath } from '../../core/record/files.ts'
import { joinedPaths, mendMerged } from '../../core/record/merge-repair.ts'
import { redactSecrets } from '../../core/secrets/redact.ts'
import { snapshotName } from '../../core/snapshot/snapshot.ts'
import { plural } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { Draft, Store } from '../../ports/store.ts'
import { entryOf } from '../../record/read-decision.ts'
import { rebuildHashIndex } from '../../record/rebuild-hash-index.ts'
import { planTakeBack, takeBack } from '../../record/take-back.ts'
import { FOR_PEOPLE, defineOperation, projectField } from '../operation.ts'
import { flawsOf } from './doctor.ts'
import { recordFields, whose } from './record-fields.ts'

export const repair = defineOperation({
  name: 'repair',
  title: 'Mend the record',
  summary: 'Mend what `ken doctor` found and can be mended safely; says why it leaves the rest.',
  details:
    'A decision that is gone, or was changed so that it cannot be read, is taken back byte for byte from a snapshot or from git, if one of them holds exactly what the journal last knew; the difference is shown. Edits that can be read stay until you say which is right: --take-back undoes them, `ken accept` keeps them. Nothing that the journal does not know is written into it.',
  effect: 'write',
  words: 'own',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: {
    take_back: z
      .boolean()
      .default(false)
      .describe('Also undo edits made by hand, where the text before is still known.'),
    dry_run: z.boolean().default(false).describe('Only say what would be mended.'),
    ...projectField,
  },
  output: {
    ...recordFields,
    mended: z.array(z.string()),
    left: z.array(z.object({ path: z.string(), message: z.string(), reason: z.string() })),
    differences: z.array(z.object({ path: z.string(), diff: z.string() })),
    dry_run: z.boolean(),
  },
  examples: [{ title: 'Try it', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const plan = await planTakeBack(store, input.take_back)
    const differences = [...plan.back, ...plan.shown].map(({ path, now, kept }) => ({
      path,
      diff: unifiedDiff(path, now && redactSecrets(now).text, redactSecrets(kept.text).text),
    }))
    if (!input.dry_run && plan.back.length > 0) await takeBack(ctx, store, plan.back)
    const taken = new Set(plan.back.map(({ path }) => path))
    // Taking decisions back makes the hash index anew.
    const flaws = (await flawsOf(store)).filter(
      (flaw) => !taken.has(flaw.path) && !(input.dry_run && taken.size > 0 && flaw.kind === 'hash-index'),
    )
    const suspects = await suspectsOf(store, taken)
    const mendable = flaws.filter((flaw) => flaw.repair !== undefined && whyNot(flaw, suspects) === undefined)
    const left = flaws.filter((flaw) => !mendable.includes(flaw))
    if (!input.dry_run && mendable.length > 0) await mend(ctx, store, mendable)
    return {
      ...whose(store),
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
      differences,
      dry_run: input.dry_run,
    }
  },
  render(output) {
    const head =
      output.mended.length === 0
        ? 'Nothing to mend.'
        : `${output.dry_run ? 'Would mend' : 'Mended'} ${plural(output.mended.length, 'flaw')}:`
    const left = output.left.map((f) => `  left: ${f.path}: ${f.message}\n    ${f.reason}`)
    const diffs = output.differences.map(({ diff }) => `\n${diff}`)
    return [head, ...output.mended.map((line) => `  ${line}`), ...left, ...diffs].join('\n')
  },
})

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
    if (flaw.kind === 'unreadable') return path === flaw.path
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
  if (kind === 'governs') return 'Supersede the decision if it no longer holds, or bring the files back.'
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
    await mendMerged(await store.list(), await store.journal(), draft)
  })
}

async function mendFiles(ctx: Context, store: Store, flaws: readonly Flaw[]): Promise<void> {
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    const facts: Record<string, unknown> = {}
    for (const flaw of flaws) {
      if (flaw.kind === 'unreadable') facts[flaw.path] = await dropUnknownKeys(draft, flaw.path)
      if (flaw.kind === 'contradiction') await finishSupersession(draft, flaw)
    }
    if (flaws.some((flaw) => flaw.kind === 'hash-index'))
      await rebuildHashIndex(ctx, store, draft, { isTrusted: false })
    draft.note('repair', facts)
    draft.snapshot('repair')
  })
}

/** The journal keeps what the ten keys cannot say; see the design of the record. */
async function dropUnknownKeys(draft: Draft, path: string): Promise<Record<string, unknown>> {
  const { text, unknown } = splitUnknownKeys((await draft.read(path)) ?? '')
  const filename = path.split('/').at(-1)!
  draft.write(path, formatFaithfully(parseDecision(text, filename)))
  return unknown
}

async function finishSupersession(draft: Draft, flaw: Flaw): Promise<void> {
  const newer = parseDecision((await draft.read(flaw.path)) ?? '', flaw.path.split('/').at(-1)!)
  const target = entryOf((await draft.catalogue()).decisions, Number(newer.supersedes))
  if (target === undefined) return
  const old = parseDecision((await draft.read(decisionPath(target.stem))) ?? '', `${target.stem}.md`)
  draft.write(
    decisionPath(target.stem),
    formatFaithfully({ ...old, status: 'superseded', superseded_by: String(newer.num) }),
  )
}
