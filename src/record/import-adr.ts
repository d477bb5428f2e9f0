import { rewriteDecision } from '../core/decision/rewrite.ts'
import { type AdrPlan, type SourceFile, planAdrImport } from '../core/import/plan.ts'
import type { JournalEvent } from '../core/journal/event.ts'
import { decisionPath } from '../core/record/files.ts'
import type { Context } from '../ports/context.ts'
import type { Draft, Store } from '../ports/store.ts'
import { isMarkdown, knownRecord, readSources, stemOfDecision, writeDecisions } from './import-source.ts'
import { entryOf, readDecision } from './read-decision.ts'

/** Records the architecture decision records of a folder, or of one file; a dry run only plans it. */
export async function importAdrs(
  ctx: Context,
  store: Store,
  { path, dry_run }: { path: string; dry_run: boolean },
): Promise<AdrPlan> {
  const files = await readSources(ctx, path, isMarkdown)
  const journal = await store.journal()
  if (dry_run) return plan(ctx, store, { files, journal })
  return store.commit(ctx.origin, async (draft) => {
    const planned = await plan(ctx, draft, { files, journal })
    if (planned.imported.length > 0) await write(ctx, draft, { plan: planned, source: path })
    return planned
  })
}

async function plan(
  ctx: Context,
  record: Pick<Draft, 'catalogue' | 'read'>,
  from: { files: readonly SourceFile[]; journal: readonly JournalEvent[] },
): Promise<AdrPlan> {
  return planAdrImport(from.files, await knownRecord(record, from.journal), ctx.clock.now().toISOString().slice(0, 10))
}

async function write(
  ctx: Context,
  draft: Draft,
  { plan: planned, source }: { plan: AdrPlan; source: string },
): Promise<void> {
  await writeDecisions(
    ctx,
    draft,
    planned.imported.map((i) => i.decision),
  )
  const { decisions } = await draft.catalogue()
  for (const { num, by } of planned.replaced) {
    const entry = entryOf(decisions, num)!
    const old = await readDecision(draft, entry.stem)
    if (old !== undefined)
      draft.write(decisionPath(entry.stem), rewriteDecision(old, { status: 'superseded', superseded_by: String(by) }))
  }
  draft.note('import_adr', {
    source,
    files: planned.imported.map(fact),
    skipped: planned.skipped,
    duplicates: planned.duplicates,
  })
  draft.snapshot('import: adr', source)
}

/** Whatever is known beyond the decision file. */
const fact = ({ path, adr, source, decision }: AdrPlan['imported'][number]): Record<string, unknown> => ({
  path,
  sha256: source,
  decision: stemOfDecision(decision),
  ...(adr.number === undefined ? {} : { number: adr.number.number }),
  ...(adr.status.text === '' ? {} : { status: adr.status.text }),
  ...(adr.date === undefined ? { date: 'unknown' } : {}),
  ...(Object.keys(adr.metadata).length === 0 ? {} : { metadata: adr.metadata }),
})
