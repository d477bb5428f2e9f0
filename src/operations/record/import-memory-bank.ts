import { z } from 'zod'
import { label } from '../../core/decision/decision.ts'
import { LIMITS } from '../../core/decision/screening.ts'
import { AppError } from '../../core/errors.ts'
import { appendOnce, planMemoryBank, type MemoryBankPlan } from '../../core/import/memory-bank.ts'
import { STATE, STATE_HISTORY, STATE_LEGACY } from '../../core/record/files.ts'
import { stateBody, updateState } from '../../core/state/state.ts'
import { codePoints, plural, strip } from '../../core/text.ts'
import type { Context } from '../../ports/context.ts'
import type { Draft, Store } from '../../ports/store.ts'
import {
  dryRunField,
  isMarkdown,
  knownRecord,
  listed,
  readSources,
  skippedFile,
  stemOfDecision,
  writeDecisions,
} from '../../record/import-source.ts'
import { decisionId } from '../../record/read-decision.ts'
import { defineOperation, FOR_PEOPLE, projectField } from '../operation.ts'
import { recordFields, whose } from './record-fields.ts'

const OUTPUT = {
  ...recordFields,
  dry_run: z.boolean(),
  used: z.array(z.string()).describe('Files that were read into the record.'),
  changed: z.array(z.string()).describe('Files of the record that changed, besides decisions.'),
  imported: z.array(z.object({ id: z.string(), number: z.number(), title: z.string() })),
  duplicates: z.array(z.object({ title: z.string(), duplicate_of: z.string() })),
  skipped: z.array(skippedFile),
  notices: z.array(z.string()),
}

export const importMemoryBank = defineOperation({
  name: 'import_memory_bank',
  title: 'Import a memory bank',
  summary: 'Import a memory bank (projectBrief, techContext, decisionLog, activeContext, progress) into the record.',
  details:
    'projectBrief and productContext are appended to project.md, techContext and systemPatterns to stack.md, each under a heading that names its origin; entries of decisionLog become decisions; activeContext and progress become the current state, and what it said before goes to the history. Nothing is overwritten, and importing twice adds nothing.',
  effect: 'write',
  words: 'own',
  hiddenFrom: FOR_PEOPLE,
  positional: ['path'],
  input: { path: z.string().min(1).describe('The folder of the memory bank.'), ...dryRunField, ...projectField },
  output: OUTPUT,
  examples: [{ title: 'A folder', input: { path: 'memory-bank' } }],
  async run(ctx, input) {
    const store = await ctx.record(input.project_id)
    const files = await readSources(ctx, input.path, isMarkdown)
    const journal = await store.journal()
    const today = ctx.clock.now().toISOString().slice(0, 10)
    const planOn = async (record: Pick<Draft, 'catalogue' | 'read'>) =>
      planMemoryBank(files, await knownRecord(record, journal), today)
    const first = await planOn(store)
    if (first.used.length === 0) throw noBank(input.path)
    if (input.dry_run)
      return answer(store, first, { changed: [...(await changes(ctx, store, first)).keys()], dryRun: true })
    return store.commit(ctx.origin, async (draft) => {
      const plan = await planOn(draft)
      const texts = await changes(ctx, draft, plan)
      for (const [path, text] of texts) draft.write(path, text)
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
        draft.note('import_memory_bank', {
          source: input.path,
          used: plan.used,
          files: imported,
          skipped: plan.skipped,
        })
        draft.snapshot('import: memory-bank', input.path)
      }
      return answer(store, plan, { changed: [...texts.keys()], dryRun: false })
    })
  },
  render,
})

const noBank = (path: string): AppError =>
  new AppError('not_found', `${path} holds no memory bank.`, {
    hint: 'Name the folder with projectBrief.md, activeContext.md or decisionLog.md.',
  })

type Output = z.output<z.ZodObject<typeof OUTPUT>>

/** The new texts of project.md, stack.md and the state files; only those that change. */
async function changes(ctx: Context, record: Pick<Draft, 'read'>, plan: MemoryBankPlan): Promise<Map<string, string>> {
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

/** A state that was imported before and has moved on since must not come back. */
const isTold = (state: string, told: readonly (string | undefined)[]): boolean =>
  told.some((text) => text?.includes(strip(stateBody(state))) ?? false)

function answer(
  store: Store,
  plan: MemoryBankPlan,
  { changed, dryRun }: { changed: string[]; dryRun: boolean },
): Output {
  const long = codePoints(plan.state ?? '') > LIMITS.delta
  return {
    ...whose(store),
    dry_run: dryRun,
    used: [...plan.used],
    changed,
    imported: plan.decisions.map(({ decision }) => ({
      id: decisionId(decision.num),
      number: decision.num,
      title: decision.title,
    })),
    duplicates: plan.duplicates.map(({ title, of }) => ({ title, duplicate_of: decisionId(of) })),
    skipped: [...plan.skipped],
    notices:
      long && changed.includes(STATE)
        ? ['The current state is long, and every agent reads it first; shorten it with `ken update-state`.']
        : [],
  }
}

function render(output: Output): string {
  const verb = output.dry_run ? 'Would import' : 'Imported'
  const changed =
    output.changed.length === 0
      ? 'nothing else changes'
      : `${output.changed.join(', ')} ${output.dry_run ? 'would change' : 'changed'}`
  return [
    `${verb} ${plural(output.imported.length, 'decision')} from ${plural(output.used.length, 'file')}; ${changed}.`,
    ...output.imported.map((d) => `  ${label(d.number)}  ${d.title}`),
    ...listed(
      'Already recorded:',
      output.duplicates.map((d) => `${d.title}: ${d.duplicate_of}`),
    ),
    ...listed(
      'Not imported:',
      output.skipped.map((s) => `${s.path}: ${s.reason}`),
    ),
    ...listed('Worth a look:', output.notices),
  ].join('\n')
}
