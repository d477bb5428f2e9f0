import { folderOf } from '../../../kernel/domain/adr/adr-name.ts'
import { statusNote } from '../../../kernel/domain/adr/adr-status.ts'
import { sha256 } from '../../../kernel/domain/sha256.ts'
import { type Decision, SEED_TITLE, label } from '../decision/decision.ts'
import { duplicateHash, normalizeTitle } from '../decision/duplicate.ts'
import { type Adr, readAdr } from './adr.ts'
import { type EndedAdr, isNotInForceTitle } from './not-in-force.ts'
import {
  type KnownDecision,
  type KnownRecord,
  assignNumbers,
  findTwin,
  importedDecision,
  unfaithful,
} from './placement.ts'
import { type Notice, type PlacedAdr, traceLineage } from './supersession.ts'

/** A file in the folder, with its relative path; `text` is undefined if it is not Markdown. */
export interface SourceFile {
  readonly path: string
  readonly text: string | undefined
  /** Its date, for a text that does not state one. */
  readonly dated?: FileDate | undefined
}

/** `git`: the day of the commit that added it; `file`: the day of its last write. */
export interface FileDate {
  readonly day: string
  readonly by: 'git' | 'file'
}

export interface PlannedDecision {
  readonly path: string
  readonly decision: Decision
  readonly adr: Adr
  /** SHA-256 of the source text. */
  readonly source: string
  readonly datedBy: 'adr' | FileDate['by'] | 'today'
}

/** An ADR that is not decided yet. */
export interface DraftAdr {
  readonly path: string
  readonly title: string
  readonly status: string
}

/** Every file of the folder is in exactly one of `imported`, `duplicates` and `skipped`. */
export interface AdrPlan {
  readonly imported: readonly PlannedDecision[]
  readonly duplicates: readonly { readonly path: string; readonly of: number }[]
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Decisions in the record that an imported decision supersedes. */
  readonly replaced: readonly { readonly num: number; readonly by: number }[]
  /** The skipped ADRs that are only proposed. */
  readonly drafts: readonly DraftAdr[]
  /** The imported or recorded ADRs that are not in force, and the decision that supersedes them. */
  readonly ended: { readonly by: number; readonly isNew: boolean; readonly adrs: readonly EndedAdr[] } | undefined
  /** The number released by the decision that only started the record. */
  readonly yielded: number | undefined
  readonly notices: readonly Notice[]
}

/**
 * Turns a folder of ADRs into decisions. A status becomes: accepted, or none given → active; superseded or deprecated
 * with a known successor → superseded by it; rejected, withdrawn, or deprecated or superseded without a known successor
 * → superseded by the one decision that lists ADRs no longer in force; proposed → no decision, unless another ADR names
 * it as its successor; unclear → active, beginning with a note.
 */
export function planAdrImport(files: readonly SourceFile[], known: KnownRecord, today: string): AdrPlan {
  const { read, skipped } = readAll(files)
  const { originals, copies } = setCopiesApart(read)
  const { successor, notices } = traceLineage(originals)
  const needed = new Set(successor.values())
  const all = distinctTitles(originals.map((file) => toEntry(file, successor.get(file.path), needed)))
  const places = settle(all, known)
  const drafts = all.filter((e) => e.fate === 'draft' && !places.twins.has(e.path))
  const fresh = all.filter((e) => !places.twins.has(e.path) && !drafts.includes(e))
  const twins = [...places.twins].map(([path, twin]) => ({ path, of: twin.num }))
  const firsts = copies.filter(({ original }) => places.numbers.has(original))
  return {
    imported: fresh.map((e) => ({
      path: e.path,
      adr: e.adr,
      source: e.source,
      decision: toDecision(e, places, today),
      datedBy: e.adr.date === undefined ? (e.dated?.by ?? 'today') : 'adr',
    })),
    duplicates: [...twins, ...firsts.map(({ path, original }) => ({ path, of: places.numbers.get(original)! }))],
    skipped: [
      ...skipped,
      ...drafts.map(({ path, adr }) => ({ path, reason: `it is only proposed (its status is "${adr.status.text}")` })),
      ...copies
        .filter((copy) => !firsts.includes(copy))
        .map(({ path, original }) => ({ path, reason: `it repeats ${original}` })),
    ],
    replaced: all.flatMap((e) => replacement(e, places)),
    drafts: drafts.map(({ path, title, adr }) => ({ path, title, status: adr.status.text })),
    ended: endedAmong(all, places),
    yielded: places.yielded,
    notices: [...notices, ...yieldNotice(fresh, places), ...fresh.flatMap((e) => statusNotice(e, places))],
  }
}

interface ReadFile extends PlacedAdr {
  readonly source: string
  readonly dated: FileDate | undefined
}

function readAll(files: readonly SourceFile[]): { read: ReadFile[]; skipped: { path: string; reason: string }[] } {
  const read: ReadFile[] = []
  const skipped: { path: string; reason: string }[] = []
  for (const { path, text, dated } of files) {
    const reading =
      text === undefined ? ({ kind: 'other', reason: 'it is not a Markdown file' } as const) : readAdr(text, path)
    if (reading.kind === 'other') {
      skipped.push({ path, reason: reading.reason })
      continue
    }
    const fault = unfaithful(reading.adr)
    if (fault === undefined) read.push({ path, adr: reading.adr, source: sha256(text!), dated })
    else skipped.push({ path, reason: fault })
  }
  return { read: read.sort(oldestFirst), skipped }
}

/** Numbered ADRs by number, then the others by date. */
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

/** Outcome of an ADR: `ended` is not in force and names no successor in force. */
type Fate = 'active' | 'superseded' | 'ended' | 'draft'

interface Entry extends ReadFile {
  readonly title: string
  readonly rationale: string
  readonly fate: Fate
  readonly successor: string | undefined
}

/** `needed`: ADRs that others name as successors. */
function toEntry(file: ReadFile, next: string | undefined, needed: ReadonlySet<string>): Entry {
  const { adr, path } = file
  // An exported decision that is active stays active, regardless of other ADRs.
  const successor = adr.exact?.status === 'active' ? undefined : next
  const fate = fateOf(adr, successor, needed.has(path))
  const isNoted = adr.exact === undefined && fate !== 'superseded' && !IN_FORCE.has(adr.status.kind)
  const note = isNoted ? `${statusNote(adr.status.text)}\n\n` : ''
  return { ...file, title: adr.title, rationale: `${note}${adr.rationale}`, fate, successor }
}

const IN_FORCE: ReadonlySet<string> = new Set(['accepted', 'none'])

function fateOf(adr: Adr, successor: string | undefined, isNeeded: boolean): Fate {
  if (successor !== undefined) return 'superseded'
  if (IN_FORCE.has(adr.status.kind) || adr.status.kind === 'unclear') return 'active'
  if (adr.status.kind !== 'proposed') return 'ended'
  return isNeeded ? 'active' : 'draft'
}

/** Target of each entry: the decision it repeats, or a new number. */
interface Places {
  readonly twins: ReadonlyMap<string, KnownDecision>
  readonly numbers: ReadonlyMap<string, number>
  readonly entries: readonly Entry[]
  /** The decision that supersedes ADRs no longer in force: its number, and whether it is new to the record. */
  readonly ledger: { readonly num: number; readonly isNew: boolean }
  readonly yielded: number | undefined
}

function settle(entries: readonly Entry[], known: KnownRecord): Places {
  const twins = new Map<string, KnownDecision>()
  for (const entry of entries) {
    const twin = findTwin({ ...entry, status: entry.fate === 'active' ? 'active' : 'superseded' }, known)
    if (twin !== undefined) twins.set(entry.path, twin)
  }
  const fresh = entries.filter((e) => !twins.has(e.path) && e.fate !== 'draft')
  const wanted = fresh.map((e) => e.adr.number?.number)
  const yielded = known.seed !== undefined && wanted.includes(known.seed) ? known.seed : undefined
  const taken = new Set([...known.taken].filter((num) => num !== yielded))
  const drafts = entries.flatMap((e) => (e.fate === 'draft' ? (e.adr.number?.number ?? []) : []))
  const assigned = assignNumbers([...wanted, undefined], taken, drafts)
  const numbers = new Map([
    ...[...twins].map(([path, twin]) => [path, twin.num] as const),
    ...fresh.map((e, i) => [e.path, assigned[i]!] as const),
  ])
  const present = known.decisions.find((d) => d.status === 'active' && isNotInForceTitle(d.title))
  return {
    twins,
    numbers,
    entries,
    yielded,
    ledger: { num: present?.num ?? assigned.at(-1)!, isNew: present === undefined },
  }
}

function toDecision(entry: Entry, places: Places, today: string): Decision {
  const { adr } = entry
  const by = entry.fate === 'ended' ? places.ledger.num : places.numbers.get(entry.successor ?? '')
  const decision = importedDecision({
    num: places.numbers.get(entry.path)!,
    title: entry.title,
    rationale: entry.rationale,
    date: adr.date ?? entry.dated?.day ?? today,
    confidence: adr.confidence,
    rejected: adr.rejected,
    supersedes: replacedBy(entry, places),
    superseded_by: by,
  })
  if (adr.exact === undefined) return decision
  const { num, status, supersedes, superseded_by } = decision
  return { ...adr.exact, num, status, supersedes, superseded_by }
}

/** ADRs not in force that are new to the record, or active in it until now. */
function endedAmong(entries: readonly Entry[], places: Places): AdrPlan['ended'] {
  const adrs = entries
    .filter((e) => e.fate === 'ended' && (places.twins.get(e.path)?.status ?? 'active') === 'active')
    .map((e) => ({
      num: places.numbers.get(e.path)!,
      title: e.title,
      status: e.adr.status.text || 'superseded',
      isRejected: e.adr.status.kind === 'rejected',
    }))
  return adrs.length === 0 ? undefined : { by: places.ledger.num, isNew: places.ledger.isNew, adrs }
}

function yieldNotice(fresh: readonly Entry[], { yielded, numbers }: Places): Notice[] {
  const heir = fresh.find((e) => yielded !== undefined && numbers.get(e.path) === yielded)
  return heir === undefined
    ? []
    : [{ path: heir.path, message: `keeps number ${yielded}: "${SEED_TITLE}", which only started the record, goes` }]
}

/** The file format allows one; other superseded decisions still name this one as their successor. */
function replacedBy(entry: Entry, places: Places): number | undefined {
  const own = places.numbers.get(entry.path)!
  const old = places.entries.filter((e) => e.successor === entry.path && isOpenTo(places.twins.get(e.path), own))
  if (entry.adr.exact !== undefined) {
    const named = places.entries.find((e) => String(e.adr.number?.number) === entry.adr.exact?.supersedes)
    return places.numbers.get(named?.path ?? '')
  }
  return old.map((e) => places.numbers.get(e.path)!).sort((a, b) => a - b)[0]
}

/** Whether a decision of the record may still be superseded by that number. */
const isOpenTo = (twin: KnownDecision | undefined, by: number): boolean =>
  twin === undefined || twin.status === 'active' || twin.superseded_by === String(by)

function replacement(entry: Entry, places: Places): { num: number; by: number }[] {
  const twin = places.twins.get(entry.path)
  if (twin === undefined || twin.status === 'superseded') return []
  if (entry.fate === 'ended') return [{ num: twin.num, by: places.ledger.num }]
  if (entry.successor === undefined || places.twins.has(entry.successor)) return []
  return [{ num: twin.num, by: places.numbers.get(entry.successor)! }]
}

function statusNotice({ path, adr, fate }: Entry, { ledger }: Places): Notice[] {
  const said = `its status is "${adr.status.text}"`
  if (fate === 'ended')
    return [{ path, message: `${said} and no successor is known; recorded as superseded by ${label(ledger.num)}` }]
  if (fate === 'superseded' || IN_FORCE.has(adr.status.kind)) return []
  const why = adr.status.kind === 'proposed' ? 'another ADR says it was replaced by it' : 'nothing says that it ended'
  return [{ path, message: `${said}, but ${why}; imported as active, with a note that says so` }]
}

interface Titled {
  readonly path: string
  readonly adr: Adr
  readonly title: string
  readonly fate: Fate
}

/** Makes the titles of active entries unique: by folder, number, date, or finally the path. */
function distinctTitles<T extends Titled>(entries: readonly T[]): T[] {
  const groups = Map.groupBy(
    entries.filter((e) => e.fate === 'active' && e.adr.exact === undefined),
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
