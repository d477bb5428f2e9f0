import { AppError } from '../kernel/domain/errors.ts'
import { strip } from '../kernel/domain/text.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { MachineNeeds } from '../kernel/ports/machine-needs.ts'
import { STATE, STATE_HISTORY, STATE_LEGACY } from './domain/files.ts'
import { type MemoryBankPlan, appendOnce, planMemoryBank } from './domain/import/memory-bank.ts'
import { stateBody, updateState } from './domain/state.ts'
import { isMarkdown, knownRecord, readSources, stemOfDecision, writeDecisions } from './import-source.ts'
import type { Draft, Store } from './ports/store.ts'

/** Imports a memory bank into the record; a dry run only plans it. */
export async function importBank(
  ctx: Call & MachineNeeds,
  store: Store,
  { path, dry_run }: { path: string; dry_run: boolean },
): Promise<{ plan: MemoryBankPlan; changed: string[] }> {
  const files = await readSources(ctx, path, isMarkdown)
  const journal = await store.journal()
  const today = ctx.clock.now().toISOString().slice(0, 10)
  const planOn = async (record: Pick<Draft, 'catalogue' | 'read'>) =>
    planMemoryBank(files, await knownRecord(record, journal), today)
  const first = await planOn(store)
  if (first.used.length === 0) throw noBank(path)
  if (dry_run) return { plan: first, changed: [...(await changes(ctx, store, first)).keys()] }
  return store.commit(ctx.origin, async (draft) => {
    const plan = await planOn(draft)
    const texts = await changes(ctx, draft, plan)
    for (const [file, text] of texts) draft.write(file, text)
    await writeDecisions(
      ctx,
      draft,
      plan.decisions.map((d) => d.decision),
    )
    if (texts.size > 0 || plan.decisions.length > 0) {
      const imported = plan.decisions.map(({ decision, source }) => ({
        sha256: source,
        decision: stemOfDecision(decision),
      }))
      draft.note('import_memory_bank', { source: path, used: plan.used, files: imported, skipped: plan.skipped })
      draft.snapshot('import: memory-bank', path)
    }
    return { plan, changed: [...texts.keys()] }
  })
}

const noBank = (path: string): AppError =>
  new AppError('not_found', `No memory bank found in ${path}.`, {
    hint: 'Pass the folder with projectBrief.md, activeContext.md or decisionLog.md.',
  })

/** The new texts of project.md, stack.md and the state files; only those that change. */
async function changes(ctx: Call, record: Pick<Draft, 'read'>, plan: MemoryBankPlan): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const { to, text } of plan.additions) {
    const whole = appendOnce(texts.get(to) ?? (await record.read(to)), text)
    if (whole !== undefined) texts.set(to, whole)
  }
  const [current, history, legacy] = await Promise.all(
    [STATE, STATE_HISTORY, STATE_LEGACY].map((path) => record.read(path)),
  )
  if (plan.state === undefined || isTold(plan.state, [current, history])) return texts
  const change = updateState({ current: current ?? legacy ?? '', history, legacy }, plan.state, ctx.clock.now())
  if (change.status === 'ok') {
    texts.set(STATE, change.current)
    if (change.history !== undefined) texts.set(STATE_HISTORY, change.history)
  }
  return texts
}

/** Whether a state was already imported: even if it has changed since, it must not be imported again. */
const isTold = (state: string, told: readonly (string | undefined)[]): boolean =>
  told.some((text) => text?.includes(strip(stateBody(state))) ?? false)
