import { inListOrder } from '../record-path.ts'

/**
 * The change from one set of files to the next. An edit keeps the first `head` and the last `tail` characters of the
 * old text, with `text` between.
 */
export interface SnapshotDelta {
  readonly set: Readonly<Record<string, string>>
  readonly edit: Readonly<Record<string, readonly [head: number, tail: number, text: string]>>
  readonly gone: readonly string[]
}

// Ten times the largest record measured.
const MOST_FILES = 100_000

export type Texts = ReadonlyMap<string, string>

/** A single replaced range: texts grow at an end or change in one place, so it is nearly as small as a real diff. */
export function editOf(before: string, after: string): readonly [number, number, string] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head++
  let tail = 0
  while (
    tail < most - head &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  return [head, tail, after.slice(head, after.length - tail)]
}

export function deltaBetween(before: Texts, after: Texts): SnapshotDelta {
  const set: Record<string, string> = {}
  const edit: Record<string, readonly [number, number, string]> = {}
  for (const [path, text] of after) {
    const old = before.get(path)
    if (old === undefined) set[path] = text
    else if (old !== text) edit[path] = editOf(old, text)
  }
  return { set, edit, gone: [...before.keys()].filter((path) => !after.has(path)) }
}

/** Undefined if the value is not a delta (damaged or malicious). */
export function asDelta(value: unknown): SnapshotDelta | undefined {
  const { set, edit, gone } = (value ?? {}) as Record<keyof SnapshotDelta, unknown>
  if (!isRecord(set) || !isRecord(edit) || !Array.isArray(gone)) return undefined
  if (Object.keys(set).length + Object.keys(edit).length + gone.length > MOST_FILES) return undefined
  const isWhole = Object.values(set).every(isText) && Object.values(edit).every(isEdit) && gone.every(isText)
  return isWhole ? (value as SnapshotDelta) : undefined
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isEdit = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && isCount(value[0]) && isCount(value[1]) && isText(value[2])

/** Changes `texts` in place. Throws if the delta was not created for them. */
export function applyDelta(texts: Map<string, string>, delta: SnapshotDelta): void {
  for (const path of delta.gone) texts.delete(path)
  for (const [path, text] of Object.entries(delta.set)) texts.set(path, text)
  for (const [path, [head, tail, text]] of Object.entries(delta.edit)) {
    const old = texts.get(path)
    if (old === undefined || old.length < head + tail) throw new RangeError(`${path} does not fit its edit`)
    texts.set(path, old.slice(0, head) + text + old.slice(old.length - tail))
  }
}

export const orderedFiles = (texts: Texts): Record<string, string> =>
  Object.fromEntries(inListOrder(texts.keys()).map((path) => [path, texts.get(path)!]))
