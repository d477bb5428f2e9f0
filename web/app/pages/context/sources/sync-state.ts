import type { ProgressPart } from '../../../../../src/kernel/ports/call.ts'
import type { Calls } from '../../../api/call.ts'

export type SyncOutput = Calls['sync_sources']['output']

/** Progress or result of one source in a sync. */
export interface SourceSync {
  readonly phase: 'waiting' | 'listing' | 'fetching' | 'done' | 'failed'
  readonly done: number
  readonly total: number | undefined
  /** The last step, or the result. */
  readonly says: string
  /** Reasons of the failure, including failed items. */
  readonly faults: readonly string[]
}

/** State of a source in a running sync: being listed if its total is unknown, done if all items are. */
export function runningSync(part: ProgressPart): SourceSync {
  const { done, total, at, failed } = part
  const base = { done, total, faults: failed === undefined ? [] : [failed] }
  if (failed !== undefined) return { ...base, phase: 'failed', says: '' }
  if (total === undefined) return { ...base, phase: 'listing', says: 'Checking for changes' }
  if (done >= total) return { ...base, phase: 'done', says: total === 0 ? 'Done' : `${done} of ${total}` }
  return { ...base, phase: 'fetching', says: at === '' ? `${done} of ${total}` : `${done} of ${total} · ${at}` }
}

/** State of a source in a completed sync; undefined if the source was not part of it. */
export function endedSync(output: SyncOutput, key: string): SourceSync | undefined {
  const source = output.sources.find((one) => one.source === key)
  if (source === undefined) return undefined
  const items = output.failures.filter((one) => one.source === key && one.item !== '')
  const faults = [
    ...(source.error === undefined ? [] : [source.error]),
    ...items.map(({ item, message }) => `${item}: ${message}`),
  ]
  return {
    phase: faults.length > 0 ? 'failed' : 'done',
    done: source.written,
    total: source.listed,
    says: countsOf(source),
    faults,
  }
}

function countsOf({ listed, written, unchanged, removed, milliseconds }: SyncOutput['sources'][number]): string {
  const parts = [
    `${listed} found`,
    written > 0 && `${written} written`,
    unchanged > 0 && `${unchanged} unchanged`,
    removed > 0 && `${removed} removed`,
    `${(milliseconds / 1000).toFixed(1)} s`,
  ]
  return parts.filter(Boolean).join(', ')
}
