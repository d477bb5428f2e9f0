import type { Origin } from '../../../kernel/domain/origin.ts'
import { isEmpty, openDraft } from '../../domain/draft.ts'
import type { Draft } from '../../ports/store.ts'
import { openReader } from './current-files.ts'
import type { RecordView } from './decision-index.ts'
import { land } from './land.ts'
import { isIdle, type PlanParts, planChange } from './planned-change.ts'

export interface CommitParts extends PlanParts {
  view(): Promise<RecordView>
  readonly patience: number
}

/**
 * The lock excludes others while `work` runs; it can be lost with its connection, so the change is committed only if
 * the record is still at the revision that `work` began with. No transaction is open while `work` runs.
 */
export const commit = <T>(parts: CommitParts, origin: Origin, work: (draft: Draft) => Promise<T>): Promise<T> =>
  parts.database.withLock(lockOf(parts.project), parts.patience, async () => {
    const { head, catalogue } = await parts.view()
    const { draft, finish } = openDraft({
      read: openReader(parts.database, parts.project),
      catalogue: async () => catalogue,
    })
    const result = await work(draft)
    const changes = finish()
    if (isEmpty(changes)) return result
    const planned = await planChange(parts, head, { changes, origin })
    if (!isIdle(planned)) await land(parts, planned)
    return result
  })

export const lockOf = (project: string): string => `record ${project}`
