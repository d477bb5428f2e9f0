import { BUDGET, count, fitting } from '../kernel/domain/answer-budget.ts'
import type { AnswerTrust } from '../kernel/domain/trust/trust.ts'
import { buildContext, contextTrust, type Level } from './domain/context.ts'
import { decisionPath, PROJECT, QUESTIONS, STACK, STATE, STATE_HISTORY, STATE_LEGACY } from './domain/files.ts'
import { compareSnapshots } from './domain/snapshot/diff.ts'
import { snapshotName } from './domain/snapshot/snapshot.ts'
import type { Store } from './ports/store.ts'

/**
 * The project description and its current state. Separate from its operation, because hooks must start without loading
 * any schema.
 */
export async function readContext(
  store: Store,
  level: Level,
): Promise<{ readonly text: string; readonly trust: AnswerTrust }> {
  const text = async (path: string) => (await store.read(path)) ?? ''
  const [project, state, history, stack, questions, catalogue] = await Promise.all([
    text(PROJECT),
    text(STATE).then((current) => current || text(STATE_LEGACY)),
    text(STATE_HISTORY),
    text(STACK),
    text(QUESTIONS),
    store.catalogue(),
  ])
  const context = await buildContext(level, {
    project,
    state,
    history,
    stack,
    questions,
    decisions: catalogue.decisions,
    unreadable: catalogue.unreadable.length,
    text: (stem) => text(decisionPath(stem)),
  })
  const page =
    level === 'L2' ? [context, await latestChanges(store)].filter((part) => part !== '').join('\n\n') : context
  return {
    text: page,
    trust: store.project.fromClone === true ? 'from the clone' : contextTrust(level, catalogue.decisions),
  }
}

async function latestChanges(store: Store): Promise<string> {
  const [before, after] = (await store.snapshots.list()).slice(-2)
  if (before === undefined || after === undefined) return ''
  const [was, is] = await Promise.all([store.snapshots.read(before.version), store.snapshots.read(after.version)])
  if (was === undefined || is === undefined) return ''
  const diff = compareSnapshots(was, is)
  const lines = [
    ...diff.added.map((f) => `+ Added ${f}`),
    ...diff.removed.map((f) => `- Removed ${f}`),
    ...diff.modified.map((f) => `~ Modified ${f}`),
  ]
  const shown = fitting(lines, BUDGET.L2 / 16, (line) => line.length)
  const more = lines.length - shown.length
  const trailer = more > 0 ? [`(+${count(more)} more files: diff_since_last_session tells of them)`] : []
  return `## Snapshot Diff (${snapshotName(before.version)} → ${snapshotName(after.version)})\n\n${[...shown, ...trailer].join('\n') || 'No changes.'}`
}
