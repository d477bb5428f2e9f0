import { z } from 'zod'
import { formatHashIndex } from '../core/decision/hash-index.ts'
import { formatFaithfully } from '../core/decision/format.ts'
import { parseDecision } from '../core/decision/parse.ts'
import { splitUnknownKeys } from '../core/decision/unknown-keys.ts'
import { rebuiltHashIndex, type Flaw } from '../core/record/doctor.ts'
import { decisionPath, HASHES } from '../core/record/files.ts'
import { mendMerged } from '../core/record/merge-repair.ts'
import { plural } from '../core/text.ts'
import type { Draft, Store } from '../ports/store.ts'
import type { Context } from './context.ts'
import { examined, flawsOf } from './doctor.ts'
import { defineOperation, FOR_PEOPLE, projectField } from './operation.ts'
import { entryOf, recordFields, whose } from './record-answer.ts'

export const repair = defineOperation({
  name: 'repair',
  title: 'Mend the record',
  summary: 'Mend what `ken doctor` found and can be mended safely; says why it leaves the rest.',
  effect: 'write',
  toolset: 'desk',
  exact: true,
  hiddenFrom: FOR_PEOPLE,
  input: { dry_run: z.boolean().default(false).describe('Only say what would be mended.'), ...projectField },
  output: { ...recordFields, mended: z.array(z.string()), left: z.array(z.object({ path: z.string(), message: z.string(), reason: z.string() })), dry_run: z.boolean() },
  examples: [{ title: 'Try it', input: { dry_run: true } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const flaws = await flawsOf(store)
    const mendable = flaws.filter((flaw) => flaw.repair !== undefined)
    const left = flaws.filter((flaw) => flaw.repair === undefined)
    const mended = mendable.map((flaw) => `${flaw.path}: ${flaw.repair}`)
    if (!input.dry_run && mendable.length > 0) await mend(ctx, store, mendable)
    return { ...whose(store), mended, left: left.map((flaw) => ({ path: flaw.path, message: flaw.message, reason: WHY_LEFT })), dry_run: input.dry_run }
  },
  render(output) {
    const head = output.mended.length === 0 ? 'Nothing to mend.' : `${output.dry_run ? 'Would mend' : 'Mended'} ${plural(output.mended.length, 'flaw')}:`
    const left = output.left.map((f) => `  left: ${f.path}: ${f.message}`)
    return [head, ...output.mended.map((line) => `  ${line}`), ...left, ...(left.length > 0 ? [`  ${WHY_LEFT}`] : [])].join('\n')
  },
})

const WHY_LEFT = 'Only a person knows what was meant; edit the file and run `ken doctor` again.'

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
  const record = await examined(store)
  await store.commit({ ...ctx.origin, surface: 'repair' }, async (draft) => {
    const facts: Record<string, unknown> = {}
    for (const flaw of flaws) {
      if (flaw.kind === 'unreadable') facts[flaw.path] = await dropUnknownKeys(draft, flaw.path)
      if (flaw.kind === 'contradiction') await finishSupersession(draft, flaw)
    }
    if (flaws.some((flaw) => flaw.kind === 'hash-index')) {
      draft.write(HASHES, formatHashIndex(rebuiltHashIndex(record.hashes, record.hashIndex, ctx.clock.now().toISOString())))
    }
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
  draft.write(decisionPath(target.stem), formatFaithfully({ ...old, status: 'superseded', superseded_by: String(newer.num) }))
}
