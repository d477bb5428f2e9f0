import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import type { Decision } from './domain/decision/decision.ts'
import { type DecisionChange, rewriteDecision } from './domain/decision/rewrite.ts'
import { QUESTIONS, decisionPath } from './domain/files.ts'
import { notInForce, withMoreEnded } from './domain/import/not-in-force.ts'
import { type AdrPlan, type SourceFile, planAdrImport } from './domain/import/plan.ts'
import type { JournalEvent } from './domain/journal/event.ts'
import { addQuestion, nextQuestionNumber, openQuestions, stampQuestions } from './domain/question.ts'
import { fromHere, isMarkdown, knownRecord, readSources, stemOfDecision, writeDecisions } from './import-source.ts'
import type { RecordNeeds } from './ports/record-needs.ts'
import type { Draft, Store } from './ports/store.ts'
import { entryOf, readDecision } from './read-decision.ts'

export interface AdrImport extends AdrPlan {
  /** The question recorded for each draft; none if it already exists. */
  readonly asked: readonly { readonly path: string; readonly question: string }[]
}

/** Records the architecture decision records in a folder or a single file; a dry run only plans it. */
export async function importAdrs(
  ctx: Call & MachineNeeds & RecordNeeds,
  store: Store,
  { path, dry_run }: { path: string; dry_run: boolean },
): Promise<AdrImport> {
  const files = await datedSources(ctx, path, await readSources(ctx, path, isMarkdown))
  const journal = await store.journal()
  if (dry_run) return plan(ctx, store, { files, journal })
  return store.commit(ctx.origin, async (draft) => {
    const planned = await plan(ctx, draft, { files, journal })
    if (planned.imported.length + planned.asked.length + planned.replaced.length > 0)
      await write(ctx, draft, { plan: planned, source: path })
    return planned
  })
}

async function plan(
  ctx: Call,
  record: Pick<Draft, 'catalogue' | 'read'>,
  from: { files: readonly SourceFile[]; journal: readonly JournalEvent[] },
): Promise<AdrImport> {
  const planned = planAdrImport(from.files, await knownRecord(record, from.journal), today(ctx))
  const questions = (await record.read(QUESTIONS)) ?? ''
  const first = nextQuestionNumber(questions)
  const asked = planned.drafts
    .filter(({ path }) => !questions.includes(mark(path)))
    .map(({ path }, i) => ({ path, question: `Q${first + i}` }))
  return { ...planned, asked }
}

const today = (ctx: Call): string => ctx.clock.now().toISOString().slice(0, 10)

/** Mark by which the question is identified when the ADR is decided later. */
const mark = (path: string): string => `(ADR ${visibleLine(path)})`

/** A text without a date gets its file's date in git, else the file's modification date. */
async function datedSources(
  ctx: Call & MachineNeeds & RecordNeeds,
  path: string,
  files: readonly SourceFile[],
): Promise<SourceFile[]> {
  const place = fromHere(ctx, path).replace(/[/\\]+$/, '')
  const isFolder = (await ctx.files.folder(place)) !== undefined
  const folder = isFolder ? place : place.slice(0, Math.max(place.lastIndexOf('/'), place.lastIndexOf('\\')))
  const added = (await (await ctx.repository())?.addedOn(folder)) ?? new Map<string, string>()
  return Promise.all(
    files.map(async (file) => {
      const commit = added.get(file.path)
      if (file.text === undefined) return file
      if (commit !== undefined) return { ...file, dated: { day: commit, by: 'git' as const } }
      const written = await ctx.files.writtenOn(`${folder}/${file.path}`)
      return written === undefined ? file : { ...file, dated: { day: written, by: 'file' as const } }
    }),
  )
}

async function write(
  ctx: Call,
  draft: Draft,
  { plan: planned, source }: { plan: AdrImport; source: string },
): Promise<void> {
  const { decisions } = await draft.catalogue()
  const seed = planned.yielded === undefined ? undefined : entryOf(decisions, planned.yielded)
  if (seed !== undefined) draft.remove(decisionPath(seed.stem))
  const ledger = planned.ended?.isNew ? [notInForce(planned.ended.adrs, planned.ended.by, today(ctx))] : []
  await writeDecisions(ctx, draft, [...planned.imported.map((i) => i.decision), ...ledger])
  for (const { num, by } of planned.replaced)
    await rewrite(draft, entryOf(decisions, num)!.stem, () => ({ status: 'superseded', superseded_by: String(by) }))
  if (planned.ended?.isNew === false) {
    const { by, adrs } = planned.ended
    await rewrite(draft, entryOf(decisions, by)!.stem, (old) => withMoreEnded(old, adrs))
  }
  await writeQuestions(ctx, draft, planned)
  draft.note('import_adr', {
    source,
    files: planned.imported.map(fact),
    skipped: planned.skipped,
    duplicates: planned.duplicates,
    ...(planned.asked.length === 0 ? {} : { asked: planned.asked }),
    ...(seed === undefined ? {} : { gave_way: seed.stem }),
  })
  draft.snapshot('import: adr', source)
}

async function rewrite(draft: Draft, stem: string, change: (old: Decision) => DecisionChange): Promise<void> {
  const old = await readDecision(draft, stem)
  if (old !== undefined) draft.write(decisionPath(stem), rewriteDecision(old, change(old)))
}

/** Records a question for each draft and resolves those whose draft is decided now. */
async function writeQuestions(ctx: Call, draft: Draft, planned: AdrImport): Promise<void> {
  const before = (await draft.read(QUESTIONS)) ?? ''
  let text = before
  for (const { path, question } of planned.asked) {
    const { title, status } = planned.drafts.find((one) => one.path === path)!
    text = addQuestion(
      text,
      Number(question.slice(1)),
      `Is this decided: ${title}? Its status is "${status}". ${mark(path)}`,
    )
  }
  for (const { path, decision } of planned.imported) {
    const open = openQuestions(text).filter((q) => q.number !== undefined && q.body.includes(mark(path)))
    const ids = open.map((q) => q.id)
    const stamped = ids.length === 0 ? undefined : stampQuestions(text, ids, decision.num, ctx.clock.now())
    if (stamped !== undefined && 'text' in stamped) text = stamped.text
  }
  if (text !== before) draft.write(QUESTIONS, text)
}

/** Everything known about an imported ADR that is not in the decision file. */
const fact = ({ path, adr, source, decision, datedBy }: AdrPlan['imported'][number]): Record<string, unknown> => ({
  path,
  sha256: source,
  decision: stemOfDecision(decision),
  ...(adr.number === undefined ? {} : { number: adr.number.number }),
  ...(adr.status.text === '' ? {} : { status: adr.status.text }),
  ...(datedBy === 'adr' ? {} : { dated_by: datedBy }),
  ...(Object.keys(adr.metadata).length === 0 ? {} : { metadata: adr.metadata }),
})
