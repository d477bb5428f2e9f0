import { AppError } from '../../../kernel/domain/errors.ts'
import { givenUp, looseLines } from './chain.ts'
import type { JournalEvent } from './event.ts'
import { isSealed, type JournalLine } from './journal-lines.ts'

/**
 * Every line of both journals, once, in an order determined only by the lines: by time, but never before a line's
 * parents. A line that builds on all others is the last, so an event appended later does not move those before it.
 */
export function uniteJournals(ours: readonly JournalLine[], theirs: readonly JournalLine[]): JournalLine[] {
  const nodes = new Map<string, Node>()
  for (const lines of [ours, theirs]) addNodes(nodes, lines)
  for (const node of nodes.values())
    for (const below of node.under) {
      const on = nodes.get(below)
      if (on === undefined) continue
      on.above.push(node)
      node.waits++
    }
  const ready = openHeap([...nodes.values()].filter((node) => node.waits === 0))
  const united: JournalLine[] = []
  for (let node = ready.take(); node !== undefined; node = ready.take()) {
    united.push(node.line)
    for (const above of node.above) if (--above.waits === 0) ready.add(above)
  }
  // Only lines written by other programs can form a cycle; they keep the given order.
  return united.length === nodes.size
    ? united
    : [...united, ...[...nodes.values()].filter(({ waits }) => waits > 0).map(({ line }) => line)]
}

/** The hashes of a line and all its ancestors; undefined if the line does not exist. */
function standingOn(lines: readonly JournalLine[], tip: string): Set<string> | undefined {
  const byHash = new Map(lines.map((line) => [line.sha256, line]))
  if (!byHash.has(tip)) return undefined
  const seen = new Set<string>()
  const waiting = [tip]
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    if (seen.has(hash)) continue
    seen.add(hash)
    waiting.push(...(byHash.get(hash)?.event?.pins ?? []))
  }
  return seen
}

/** Lines that are not ancestors of a tip, in order: the lines that a machine with this tip does not have. */
export function linesSince(lines: readonly JournalLine[], tip: string | undefined): readonly JournalLine[] | undefined {
  if (tip === undefined) return lines
  const seen = standingOn(lines, tip)
  return seen && lines.filter(({ sha256 }) => !seen.has(sha256))
}

/** The one line that builds on all others; undefined if a journal has several ends, or none. */
export function tipOf(lines: readonly JournalLine[]): string | undefined {
  const loose = looseLines(lines)
  return loose.length === 1 ? loose[0] : undefined
}

/** Throws if lines from elsewhere are not valid journal lines, or their parents are missing. */
export function refuseBrokenLines(taken: readonly JournalLine[], united: readonly JournalLine[]): void {
  const present = new Set(united.map(({ sha256 }) => sha256))
  const given = givenUp(united)
  const ids = new Map<string, string>()
  for (const { event, sha256 } of united) {
    if (event === undefined) continue
    if ((ids.get(event.id) ?? sha256) !== sha256) throw broken(`two lines say that they are the event ${event.id}`)
    ids.set(event.id, sha256)
  }
  for (const { text, event } of taken) {
    if (text === '' || /[\n\r]/.test(text)) throw broken('one of them is none, or several')
    if (!text.isWellFormed()) throw broken('one of them is not text')
    if (isSealed(text) === false || (event?.pins !== undefined && isSealed(text) !== true))
      throw broken('one of them was changed after it was written')
    if (event?.pins?.some((pin) => !present.has(pin) && !given.has(pin)))
      throw broken(`the event ${event.id} stands on a line that is missing`)
  }
}

const broken = (why: string): AppError =>
  new AppError('invalid_input', `The journal lines can’t be merged: ${why}.`, {
    hint: 'Run `ken verify` on their original machine.',
  })

/** True if the lines have one end and the last state of each of these files matches; null for a removed file. */
export function isVouchedFor(lines: readonly JournalLine[], files: JournalEvent['files']): boolean {
  const states = new Map<string, string | null>()
  for (const { event } of lines) for (const [path, state] of Object.entries(event?.files ?? {})) states.set(path, state)
  return tipOf(lines) !== undefined && Object.entries(files).every(([path, state]) => states.get(path) === state)
}

/** An event on top of all ends, pinning every loose line. */
export function onTopOf(lines: readonly JournalLine[], event: JournalEvent): JournalEvent {
  const pins = looseLines(lines)
  const loose = new Set(pins)
  const ends = eventsOf(lines.filter((line) => loose.has(line.sha256)))
  const after = (ends.length > 0 ? ends : eventsOf(lines).slice(-1)).map(({ id }) => id)
  return { ...event, ...(after.length > 0 && { after }), pins }
}

export const eventsOf = (lines: readonly JournalLine[]): JournalEvent[] => lines.flatMap(({ event }) => event ?? [])

interface Node {
  readonly line: JournalLine
  readonly at: string
  readonly under: readonly string[]
  readonly above: Node[]
  waits: number
}

/** An unchained line keeps its place after the previous line. */
function addNodes(nodes: Map<string, Node>, lines: readonly JournalLine[]): void {
  let [at, before]: [string, string | undefined] = ['', undefined]
  for (const line of lines) {
    at = line.event?.at ?? at
    const under = line.event?.pins ?? (before === undefined ? [] : [before])
    if (!nodes.has(line.sha256)) nodes.set(line.sha256, { line, at, under: [...new Set(under)], above: [], waits: 0 })
    before = line.sha256
  }
}

const isBefore = (a: Node, b: Node): boolean => (a.at === b.at ? a.line.text < b.line.text : a.at < b.at)

/** A heap that returns the earliest node first. */
function openHeap(start: readonly Node[]): { add(node: Node): void; take(): Node | undefined } {
  const heap: Node[] = []
  const swap = (i: number, j: number) => ([heap[i], heap[j]] = [heap[j]!, heap[i]!])
  function add(node: Node): void {
    heap.push(node)
    for (let i = heap.length - 1; i > 0;) {
      const parent = (i - 1) >> 1
      if (!isBefore(heap[i]!, heap[parent]!)) return
      swap(i, parent)
      i = parent
    }
  }
  function take(): Node | undefined {
    if (heap.length < 2) return heap.pop()
    const first = heap[0]
    heap[0] = heap.pop()!
    for (let i = 0; ;) {
      const least = [2 * i + 1, 2 * i + 2]
        .filter((child) => child < heap.length)
        .reduce((best, child) => (isBefore(heap[child]!, heap[best]!) ? child : best), i)
      if (least === i) return first
      swap(i, least)
      i = least
    }
  }
  for (const node of start) add(node)
  return { add, take }
}
