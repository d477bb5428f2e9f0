import { isRecordFile } from '../record-path.ts'
import type { JournalEvent } from './event.ts'

/** Current state of a file: SHA-256 of its bytes, and of its text with \n line ends if those differ. */
export interface FileDigest {
  readonly sha256: string
  readonly asText?: string
}

export interface Mismatch {
  readonly path: string
  readonly kind: 'edited' | 'missing' | 'unknown'
  readonly message: string
}

/**
 * Differences between files and journal. A record that was never journalled has none: it came from elsewhere and is
 * adopted with its first change. `history`: any journalled state of a file is accepted, because git may have checked
 * out an older one.
 */
export function compareWithJournal(
  files: ReadonlyMap<string, FileDigest>,
  events: readonly JournalEvent[],
  { history }: { history: boolean },
): Mismatch[] {
  if (events.length === 0) return []
  const known = statesByPath(events)
  const found = [...files].flatMap(([path, digest]) => judge(path, digest, { states: known.get(path), history }) ?? [])
  const gone = [...known].filter(
    ([path, states]) => !files.has(path) && isRecordFile(path) && isMissing(states, history),
  )
  return [
    ...found,
    ...gone.map(([path]): Mismatch => ({
      path,
      kind: 'missing',
      message: 'is gone, though no journalled change removed it',
    })),
  ]
}

/** The last journalled state of a file: its hash, null if it was removed, undefined if it was never journalled. */
export const lastState = (events: readonly JournalEvent[], path: string): State | undefined =>
  events.findLast(({ files }) => Object.hasOwn(files, path))?.files[path]

type State = string | null

function judge(
  path: string,
  digest: FileDigest,
  { states, history }: { states: readonly State[] | undefined; history: boolean },
): Mismatch | undefined {
  if (states === undefined) return { path, kind: 'unknown', message: 'was not written by Ken' }
  const accepted = history ? states : states.slice(-1)
  if (accepted.some((state) => state !== null && (state === digest.sha256 || state === digest.asText))) return undefined
  if (accepted.every((state) => state === null))
    return { path, kind: 'unknown', message: 'was removed by Ken and is there again' }
  return { path, kind: 'edited', message: 'was changed by hand or another program since Ken last wrote it' }
}

// Merged branches interleave: one may have removed a file before the last event of the other on that path.
const isMissing = (states: readonly State[], history: boolean): boolean =>
  history ? !states.includes(null) : states.at(-1) !== null

function statesByPath(events: readonly JournalEvent[]): Map<string, State[]> {
  const known = new Map<string, State[]>()
  for (const { files } of events) {
    for (const [path, state] of Object.entries(files)) {
      const states = known.get(path)
      if (states === undefined) known.set(path, [state])
      else states.push(state)
    }
  }
  return known
}
