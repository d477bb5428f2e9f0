import type { Decision } from '../decision/decision.ts'
import { duplicateHash, normalizeTitle } from '../decision/duplicate.ts'
import { sha256 } from '../sha256.ts'
import { folderOf } from './adr-name.ts'
import { statusNote } from './adr-status.ts'
import { type Adr, readAdr } from './adr.ts'
import {
  type KnownDecision,
  type KnownRecord,
  assignNumbers,
  findTwin,
  importedDecision,
  unfaithful,
} from './placement.ts'
import { type Notice, type PlacedAdr, traceLineage } from './supersession.ts'

/** A file of the folder, by its path below it; `text` is undefined for what is not Markdown. */
export interface SourceFile {
  readonly path: string
  readonly text: string | undefined
}

export interface PlannedDecision {
  readonly path: string
  readonly decision: Decision
  readonly adr: Adr
  /** SHA-256 of the source text. */
  readonly source: string
}

/** Every file of the folder is in exactly one of the first three lists. */
export interface AdrPlan {
  readonly imported: readonly PlannedDecision[]
  readonly duplicates: readonly { readonly path: string; readonly of: number }[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Decisions of the record that an imported one replaces. */
  readonly replaced: readonly { readonly num: number; readonly by: number }[]
  readonly notices: readonly Notice[]
}

/**
 * Turns a folder of ADRs into decisions. A status becomes: accepted, or none given → active; superseded or deprecated
 * with a known successor → superseded by it; proposed, rejected, deprecated or superseded without one, or unclear →
 * active, opening with a note that says so, and a rejected one says it in its title too, because the title alone would
 * claim the opposite.
 */
export function planAdrImport(files: readonly SourceFile[], known: KnownRecord, today: string): AdrPlan {
  const { read, skipped } = readAll(files)
  const { originals, copies } = setCopiesApart(read)
  const { successor, notices } = traceLineage(originals)
  const entries = distinctTitles(originals.map((file) => toEntry(file, successor.get(file.path))))
  const places = settle(entries, known)
  const fresh = entries.filter((e) => !places.twins.has(e.path))
  const twins = [...places.twins].map(([path, twin]) => ({ path, of: twin.num }))
  return {
    imported: fresh.map((e) => ({
      path: e.path,
      adr: e.adr,
      source: e.source,
      decision: toDecision(e, places, today),
    })),
    duplicates: [...twins, ...copies.map(({ path, original }) => ({ path, of: places.numbers.get(original)! }))],
    skipped,
    replaced: entries.flatMap((e) => replacement(e, places)),
    notices: [...notices, ...fresh.flatMap(statusNotice)],
  }
}

interface ReadFile extends PlacedAdr {
  readonly source: string
}

function readAll(files: readonly SourceFile[]): { read: ReadFile[]; skipped: { path: string; reason: string }[] } {
  const read: ReadFile[] = []
  const skipped: { path: string; reason: string }[] = []
  for (const { path, text } of files) {
    const reading =
      text === undefined ? ({ kind: 'other', reason: 'it is not a Markdown file' } as const) : readAdr(text, path)
    if (reading.kind === 'other') {
      skipped.push({ path, reason: reading.reason })
      continue
    }
    const fault = unfaithful(reading.adr)
    if (fault === undefined) read.push({ path, adr: reading.adr, source: sha256(text!) })
    else skipped.push({ path, reason: fault })
  }
  return { read: read.sort(oldestFirst), skipped }
}

/** By number, where there is one; the others after them by date. */
function oldestFirst(a: PlacedAdr, b: PlacedAdr): number {
  const [left, right] = [a.adr.number?.number ?? Infinity, b.adr.number?.number ?? Infinity]
  if (left !== right) return left < right ? -1 : 1
  const [earlier, later] = [a.adr.date ?? '', b.adr.date ?? '']
  if (left === Infinity && earlier !== later) return earlier < later ? -1 : 1
  return a.path < b.path ? -1 : 1
}

function setCopiesApart(files: readonly ReadFile[]): {
  originals: ReadFile[]
  copies: { path: string; original: string }[]
} {
  const seen = new Map<string, string>()
  const copies: { path: string; original: string }[] = []
  const originals = files.filter(({ path, adr }) => {
    const hash = duplicateHash(adr.title, adr.rationale)
    const original = seen.get(hash)
    if (original === undefined) seen.set(hash, path)
    else copies.push({ path, original })
    return original === undefined
  })
  return { originals, copies }
}

interface Entry extends ReadFile {
  readonly title: string
  readonly rationale: string
  readonly successor: string | undefined
}

function toEntry(file: ReadFile, successor: string | undefined): Entry {
  const { adr } = file
  const note = successor === undefined && contradictsActive(adr) ? `${statusNote(adr.status.text)}\n\n` : ''
  const refusal =
    adr.status.kind === 'rejected'
      ? `${/\b(?:declined|withdrawn|abandoned)\b/i.exec(adr.status.text)?.[0] ?? 'rejected'}: `
      : ''
  const prefix = adr.title.toLowerCase().startsWith(refusal.toLowerCase())
    ? ''
    : refusal.charAt(0).toUpperCase() + refusal.slice(1).toLowerCase()
  return { ...file, title: `${prefix}${adr.title}`, rationale: `${note}${adr.rationale}`, successor }
}

const contradictsActive = (adr: Adr): boolean => !['accepted', 'none'].includes(adr.status.kind)

/** Where each entry ends up: the decision it repeats, or a number of its own. */
interface Places {
  readonly twins: ReadonlyMap<string, KnownDecision>
  readonly numbers: ReadonlyMap<string, number>
  readonly entries: readonly Entry[]
}

function settle(entries: readonly Entry[], known: KnownRecord): Places {
  const twins = new Map<string, KnownDecision>()
  for (const entry of entries) {
    const twin = findTwin({ ...entry, status: entry.successor === undefined ? 'active' : 'superseded' }, known)
    if (twin !== undefined) twins.set(entry.path, twin)
  }
  const fresh = entries.filter((e) => !twins.has(e.path))
  const assigned = assignNumbers(
    fresh.map((e) => e.adr.number?.number),
    known.taken,
  )
  const numbers = new Map([
    ...[...twins].map(([path, twin]) => [path, twin.num] as const),
    ...fresh.map((e, i) => [e.path, assigned[i]!] as const),
  ])
  return { twins, numbers, entries }
}

function toDecision(entry: Entry, places: Places, today: string): Decision {
  const { adr } = entry
  return importedDecision({
    num: places.numbers.get(entry.path)!,
    title: entry.title,
    rationale: entry.rationale,
    date: adr.date ?? today,
    confidence: adr.confidence,
    rejected: adr.rejected,
    supersedes: replacedBy(entry, places),
    superseded_by: entry.successor === undefined ? undefined : places.numbers.get(entry.successor),
  })
}

/** The file format holds one; the others still say that this one replaced them. */
function replacedBy(entry: Entry, places: Places): number | undefined {
  const old = places.entries.filter(
    (e) => e.successor === entry.path && isOpenTo(places.twins.get(e.path), places.numbers.get(entry.path)!),
  )
  return old.map((e) => places.numbers.get(e.path)!).sort((a, b) => a - b)[0]
}

/** Whether a decision of the record may still be replaced by that number. */
const isOpenTo = (twin: KnownDecision | undefined, by: number): boolean =>
  twin === undefined || twin.status === 'active' || twin.superseded_by === String(by)

function replacement(entry: Entry, places: Places): { num: number; by: number }[] {
  const twin = places.twins.get(entry.path)
  if (
    twin === undefined ||
    twin.status === 'superseded' ||
    entry.successor === undefined ||
    places.twins.has(entry.successor)
  )
    return []
  return [{ num: twin.num, by: places.numbers.get(entry.successor)! }]
}

function statusNotice({ path, adr, successor }: Entry): Notice[] {
  if (successor !== undefined || !contradictsActive(adr)) return []
  const missing =
    adr.status.kind === 'superseded' || adr.status.kind === 'deprecated' ? ' and no successor is known' : ''
  return [
    { path, message: `its status is "${adr.status.text}"${missing}; imported as active, with a note that says so` },
  ]
}

interface Titled {
  readonly path: string
  readonly adr: Adr
  readonly title: string
  readonly successor: string | undefined
}

/**
 * Gives active entries that share a title something that tells them apart: folder, number, date, or at last the path.
 */
function distinctTitles<T extends Titled>(entries: readonly T[]): T[] {
  const groups = Map.groupBy(
    entries.filter((e) => e.successor === undefined),
    (e) => normalizeTitle(e.title),
  )
  const renamed = new Map<string, string>()
  for (const group of groups.values()) {
    if (group.length < 2) continue
    const tell =
      DIFFERENCES.find(
        (difference) => group.every(difference) && new Set(group.map(difference)).size === group.length,
      ) ?? ((e: Titled) => e.path)
    for (const entry of group) renamed.set(entry.path, `${entry.title} (${tell(entry)})`)
  }
  return entries.map((e) => ({ ...e, title: renamed.get(e.path) ?? e.title }))
}

const DIFFERENCES: readonly ((entry: Titled) => string)[] = [
  (e) => folderOf(e.path).split('/').at(-1)!,
  (e) => (e.adr.number === undefined ? '' : `${e.adr.number.series.toUpperCase() || 'ADR'} ${e.adr.number.number}`),
  (e) => e.adr.date ?? '',
]
