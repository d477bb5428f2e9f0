import { createHash } from 'node:crypto'
import { applyDelta, deltaBetween, orderedFiles, type SnapshotDelta, type Texts } from '../../domain/snapshot/delta.ts'
import type { SnapshotInfo } from '../../domain/snapshot/snapshot.ts'
import { sha256 } from '../record-text.ts'
import { closePayload, MOST_UNFOLDED, openPayload } from './snapshot-payload.ts'

export const PACK = 'snapshots/pack.jsonl'

/**
 * One line of the pack. `base` is the version that this delta builds on, which is the line before; null for a
 * standalone entry.
 */
export interface PackEntry extends SnapshotInfo {
  readonly base: number | null
  /** A SnapshotDelta as JSON, compressed, in base64. */
  readonly payload: string
  /** The payload is not compressed. */
  readonly plain?: true
}

export interface PackReading {
  readonly entries: readonly PackEntry[]
  /** Damaged parts, each with the hashes of its lines. */
  readonly damaged: readonly { readonly message: string; readonly lines: readonly string[] }[]
  /** The highest version ever used, readable or not; 0 if there is none. */
  readonly highest: number
  /** The hash that the next line pins, after each line of the pack; the last one covers the whole pack. */
  readonly ends: readonly string[]
  readonly size: number
}

const WHOLE: SnapshotDelta = { set: {}, edit: {}, gone: [] }

export function parsePack(bytes: Buffer): PackReading {
  const entries: PackEntry[] = []
  const damaged: { message: string; lines: readonly string[] }[] = []
  const ends: string[] = []
  const before = createHash('sha256')
  let highest = 0
  for (const [at, line] of bytes.toString('latin1').split('\n').entries()) {
    if (line === '') continue
    const raw = Buffer.from(line, 'latin1')
    const read = parseLine(raw)
    const fault = faultOf(read, { at, end: ends.at(-1) ?? '', before: entries.at(-1) })
    highest = Math.max(highest, read?.entry.version ?? 0)
    if (read !== undefined && (fault === undefined || fault.keeps)) entries.push(read.entry)
    if (fault !== undefined) damaged.push({ message: fault.message, lines: [sha256(raw)] })
    before.update(raw).update('\n')
    ends.push(read?.sealed === true ? sha256(raw) : before.copy().digest('hex'))
  }
  return { entries, damaged, highest, ends, size: bytes.length }
}

interface ReadLine {
  readonly entry: PackEntry
  /** Whether the seal of the line covers all of its bytes and the lines before it. */
  readonly sealed: boolean
  readonly prev: string | undefined
}

/** `keeps`: the entry is valid, but the lines before it are not. */
function faultOf(
  read: ReadLine | undefined,
  { at, end, before }: { at: number; end: string; before: PackEntry | undefined },
): { message: string; keeps: boolean } | undefined {
  if (read === undefined) return { message: `line ${at + 1} is damaged`, keeps: false }
  const { version, base } = read.entry
  if (base !== null && base !== before?.version)
    return { message: `v${version} builds on v${base}, which is damaged`, keeps: false }
  return read.sealed && read.prev !== end
    ? { message: `the lines before v${version} are not as they were when it was taken`, keeps: true }
    : undefined
}

/** The files of an entry. `entries` are those of one pack, in order. Throws if they cannot be unpacked. */
export function unpack(entries: readonly PackEntry[], at: number): Map<string, string> {
  let first = at
  while (entries[first]!.base !== null) first--
  const { texts, add } = openTexts()
  for (const entry of entries.slice(first, at + 1)) add(entry)
  return texts
}

/**
 * Iterates over a pack once, oldest first. `texts` is the same map every time, and undefined from an unreadable entry
 * up to the next standalone one.
 */
export function* walkPack(
  entries: readonly PackEntry[],
): Generator<{ entry: PackEntry; texts: Map<string, string> | undefined }> {
  const { texts, add } = openTexts()
  let isSound = false
  for (const entry of entries) {
    isSound = (isSound || entry.base === null) && succeeds(() => add(entry))
    yield { entry, texts: isSound ? texts : undefined }
  }
}

// Many small lines may together unpack to a large amount. A delta weighs as much as its texts; all entries since the
// last standalone one may weigh at most four times the limit of one entry.
const MOST_HELD = 4 * MOST_UNFOLDED

function openTexts(): { texts: Map<string, string>; add(entry: PackEntry): void } {
  const texts = new Map<string, string>()
  let held = 0
  return {
    texts,
    add(entry) {
      if (entry.base === null) texts.clear()
      const { delta, weight } = openPayload(entry)
      held = weight + (entry.base === null ? 0 : held)
      if (held > MOST_HELD) throw new RangeError('unfolds to more than a record holds')
      applyDelta(texts, delta)
    },
  }
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/** `prev` is the end of the pack that the line is appended to. */
export function packLine(
  info: SnapshotInfo,
  made: { base: number | null; delta: SnapshotDelta; prev: string },
): string {
  const body = JSON.stringify({
    version: info.version,
    timestamp: info.timestamp,
    trigger: info.trigger,
    trigger_detail: info.trigger_detail,
    token_count: info.token_count,
    decisions: info.decisions,
    base: made.base,
    prev: made.prev,
    ...closePayload(made.delta),
  }).slice(0, -1)
  return `${body},"seal":"${sha256(body)}"}\n`
}

export const wholeDelta = (texts: Texts): SnapshotDelta => ({ ...WHOLE, set: orderedFiles(texts) })

/**
 * A snapshot is standalone when the deltas since the last standalone one outweigh that one: this keeps both reading and
 * the pack cheap.
 */
export const standsAlone = (tail: { readonly whole: number; readonly since: number }): boolean =>
  tail.since > tail.whole

export interface RewrittenPack {
  readonly text: string
  readonly whole: number
  readonly since: number
  readonly end: string
}

/** The new form of an entry; undefined to drop it. */
export type Remake = (
  entry: SnapshotInfo,
  texts: Texts,
) => { readonly info: SnapshotInfo; readonly texts: Texts } | undefined

/** The pack with every entry rebuilt as deltas of one another. Unreadable entries are left out. */
export function remakePack(entries: readonly PackEntry[], remake: Remake): RewrittenPack {
  let kept: { version: number; texts: Texts } | undefined
  let [text, whole, since, prev] = ['', 0, 0, '']
  for (const { entry, texts } of walkPack(entries)) {
    const made = texts && remake(entry, texts)
    if (made === undefined) continue
    const alone = kept === undefined || standsAlone({ whole, since })
    const line = packLine(
      made.info,
      alone
        ? { base: null, delta: wholeDelta(made.texts), prev }
        : { base: kept!.version, delta: deltaBetween(kept!.texts, made.texts), prev },
    )
    ;[whole, since] = alone ? [line.length, 0] : [whole, since + line.length]
    text += line
    prev = sha256(line.slice(0, -1))
    kept = { version: entry.version, texts: new Map(made.texts) }
  }
  return { text, whole, since, end: prev }
}

const SEAL = /,"seal":"([0-9a-f]{64})"\}$/

function parseLine(line: Buffer): ReadLine | undefined {
  try {
    const value = JSON.parse(line.toString('utf8')) as PackEntry & { sha256?: string; prev?: unknown }
    if (!isEntry(value)) return undefined
    const { version, timestamp, trigger, trigger_detail, token_count, decisions, base, payload } = value
    const entry = {
      version,
      timestamp,
      trigger,
      trigger_detail,
      token_count,
      decisions,
      base,
      payload,
      ...(value.plain === true ? { plain: true as const } : {}),
    }
    const seal = SEAL.exec(line.toString('latin1'))
    if (seal !== null)
      return sha256(line.subarray(0, seal.index)) === seal[1]
        ? { entry, sealed: true, prev: typeof value.prev === 'string' ? value.prev : undefined }
        : undefined
    // Lines written before seals existed contain the hash of their payload.
    return value.sha256 === sha256(payload) ? { entry, sealed: false, prev: undefined } : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: PackEntry): boolean {
  const isCount = (number: unknown) => Number.isSafeInteger(number) && (number as number) >= 0
  const texts = [value.timestamp, value.trigger, value.trigger_detail, value.payload]
  return (
    isCount(value.version) &&
    isCount(value.token_count) &&
    isCount(value.decisions) &&
    (value.base === null || isCount(value.base)) &&
    texts.every((text) => typeof text === 'string')
  )
}
