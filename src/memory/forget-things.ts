import { AppError } from '../kernel/domain/errors.ts'
import type { Call } from '../kernel/ports/call.ts'
import { withoutEntries } from './domain/note/note-entries.ts'
import { tracesOf, type Traces } from './domain/upkeep/traces.ts'
import type { Forgettable } from './find-forgettable.ts'
import type { MemoryNeeds } from './ports/memory-needs.ts'
import type { MemoryHit } from './ports/memory.ts'
import type { UpkeepParts } from './ports/upkeep-parts.ts'

export interface Proof {
  /** Texts from the removed items that occurred nowhere else in Ken's files except the index. */
  readonly lookedFor: readonly string[]
  /** Number of files searched for these texts, byte by byte. */
  readonly searched: number
  /** Files that still contain one of these texts; empty if all are gone. */
  readonly left: readonly string[]
}

const INDEX_FILE = /[/\\]index\.db(?:-wal|-shm)?$/
const UPDATES = 20
// Each phrase is searched for in every byte.
const MOST_PHRASES = 48
const MOST_TERMS = 12

/**
 * Removes sessions and notes from files, index and every later harvest, then searches for remaining traces. The caller
 * holds the lease.
 */
export async function forgetThings(
  ctx: Call & MemoryNeeds,
  parts: UpkeepParts,
  things: readonly Forgettable[],
): Promise<Proof> {
  // Removes files half-written by a killed harvest, which would count as another place with the same text.
  await parts.archive.remove([])
  const lookedFor = await distinctiveTraces(ctx, parts, things)
  const sessions = things.flatMap(({ session }) => session ?? [])
  // Tombstones are written first: after a crash in between, the next harvest must not restore the sessions.
  const at = ctx.clock.now().toISOString()
  await parts.state.bury(
    sessions.map(({ client, session, ended }) => ({ client, session, why: 'forgotten', ended, at })),
  )
  await parts.archive.remove(sessions.map(({ path }) => path))
  await forgetNotes(
    parts,
    things.filter(({ kind }) => kind === 'note'),
  )
  await updateIndex(ctx)
  await parts.space.reclaim()
  const { searched, traces } = await parts.homeFiles.find(lookedFor)
  return { lookedFor, searched, left: [...new Set(traces.map(({ path }) => path))] }
}

/** Texts found only in these items and in the index: other texts prove nothing. */
async function distinctiveTraces(
  ctx: Call & MemoryNeeds,
  { homeFiles }: UpkeepParts,
  things: readonly Forgettable[],
): Promise<string[]> {
  const own = new Set(things.map(({ path }) => path))
  const traces = things.map(({ text }) => tracesOf(text))
  const each = Math.max(1, Math.floor(MOST_PHRASES / things.length))
  const phrases = traces.flatMap((trace) => trace.phrases.slice(0, each)).slice(0, MOST_PHRASES)
  const candidates = [...new Set([...phrases, ...(await ownTerms(ctx, things, traces))])]
  const found = (await homeFiles.find(candidates)).traces
  const elsewhere = new Set(
    found.filter(({ path }) => !own.has(path) && !INDEX_FILE.test(path)).map(({ text }) => text),
  )
  const here = new Set(found.map(({ text }) => text))
  return candidates.filter((text) => here.has(text) && !elsewhere.has(text) && !isLeftOver(text, things))
}

/** Terms that only these items have in the index; documents elsewhere on the disk may use the same word. */
async function ownTerms(
  ctx: Call & MemoryNeeds,
  things: readonly Forgettable[],
  traces: readonly Traces[],
): Promise<string[]> {
  const isOwn = (hit: MemoryHit) =>
    things.some(({ path, lines }) => path === hit.path && lines.from <= hit.startLine && lines.to >= hit.startLine)
  const memory = await ctx.memory()
  const terms: string[] = []
  const words = new Map(traces.flatMap((trace) => trace.words).map(({ word, term }) => [term, word]))
  for (const [term, word] of words) {
    if (terms.length >= MOST_TERMS) break
    const { hits } = await memory.search({ text: word, by: 'words', scope: {}, limit: things.length + 1 })
    if (hits.every(isOwn)) terms.push(term)
  }
  return terms
}

/** Whether a text remains after a note is removed, because the rest of its file contains the same words. */
const isLeftOver = (text: string, things: readonly Forgettable[]): boolean =>
  things.some(({ rest }) => rest?.includes(text) ?? false)

async function forgetNotes({ homeFiles }: UpkeepParts, notes: readonly Forgettable[]): Promise<void> {
  for (const [path, own] of Map.groupBy(notes, (note) => note.path)) {
    const gone = new Set(own.map(({ text }) => text))
    await homeFiles.rewrite(path, (text) => withoutEntries(text, (entry) => gone.has(entry.text)))
  }
}

/**
 * Retries while another process updates the index, because that process may be indexing files listed before the
 * removal.
 */
async function updateIndex(ctx: Call & MemoryNeeds): Promise<void> {
  const memory = await ctx.memory()
  for (let tries = 0; tries < UPDATES; tries++) {
    const { busy } = await memory.update({
      collections: ['sessions', 'memory'],
      embed: false,
      withoutRoom: true,
      progress: ctx.progress,
    })
    if (!busy) return
  }
  throw new AppError('unavailable', 'The files are deleted, but another process blocks the index update.', {
    hint: 'The index updates on its next scan, or with `ken update` once that process has ended.',
  })
}
