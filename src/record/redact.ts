import { decisionStem } from '../core/decision/decision-id.ts'
import type { Decision } from '../core/decision/decision.ts'
import { formatHashIndex, parseHashIndex } from '../core/decision/duplicate.ts'
import { parseDecision } from '../core/decision/parse.ts'
import { AppError } from '../core/errors.ts'
import { renameStems } from '../core/record/decision-refs.ts'
import { hashOf } from '../core/record/doctor.ts'
import { HASHES, decisionPath } from '../core/record/files.ts'
import { isTelling, takenOut } from '../core/redact/taken-out.ts'
import type { Context } from '../ports/context.ts'
import type { Redactor } from '../ports/redactor.ts'
import type { Rewriting, Rewritten, Store } from '../ports/store.ts'

export interface SecretPlan extends Pick<Rewriting, 'change' | 'rename'> {
  /** How many different secrets there are. */
  readonly secrets: number
  /** How many each file holds, counting texts it had before. */
  readonly places: ReadonlyMap<string, number>
  /** What must stand nowhere afterwards: secrets that can be told by their value, and names of files made from them. */
  readonly lookFor: readonly string[]
}

const MARK = '[redacted]'

/**
 * Finds the secrets of a record, of its journal and of its past, and how each text reads without them. Changes nothing.
 */
export async function planRedaction(store: Store, redactor: Redactor): Promise<SecretPlan> {
  const pieces: { text: string; path: string }[] = []
  await store.care.readThrough(async (text, path) => void pieces.push({ text, path }))
  const values = new Set<string>()
  for (const { text } of pieces)
    for (const value of takenOut(text, (await redactor.redact(text)).text)) values.add(value)
  const telling = [...values].filter(isTelling).sort((a, b) => b.length - a.length)
  // Rules see a text as a whole; the same value elsewhere, without what gave it away, is the same secret.
  const clean = async (text: string): Promise<string> =>
    telling.reduce((said, value) => said.replaceAll(value, MARK), (await redactor.redact(text)).text)

  const places = new Map<string, number>()
  const moves = new Map<string, string>()
  for (const { text, path } of pieces) {
    const cleaned = await clean(text)
    if (cleaned === text) continue
    places.set(path, (places.get(path) ?? 0) + Math.max(1, takenOut(text, cleaned).length))
    noteTitle({ path, text, cleaned }, moves)
  }
  const stems = [...moves].filter(([from, to]) => from !== to)
  const index = await cleanIndex(store, clean)
  return {
    secrets: values.size,
    places,
    lookFor: [...telling, ...stems.map(([from]) => from)],
    rename: (path) => renameStems(path, stems),
    change: async (text, path) => renameStems(path === HASHES ? (index ?? text) : await clean(text), stems),
  }
}

/** A title with a secret in it is in the file's name too. */
function noteTitle(
  { path, text, cleaned }: { path: string; text: string; cleaned: string },
  moves: Map<string, string>,
): void {
  const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
  const [was, is] = stem === undefined ? [] : [readable(text, `${stem}.md`), readable(cleaned, `${stem}.md`)]
  if (was === undefined || is === undefined || was.title === is.title) return
  if (decisionPath(decisionStem(was.num, was.title)) === path) moves.set(stem!, decisionStem(is.num, is.title))
}

/** The index knows decisions by their text, so it is rebuilt; undefined while none of them changes. */
async function cleanIndex(store: Store, clean: (text: string) => Promise<string>): Promise<string | undefined> {
  const before = Object.values(parseHashIndex(await store.read(HASHES).catch(() => undefined)) ?? {})
  const index: Record<string, { decision_id: string; timestamp: string }> = {}
  let isChanged = false
  for (const { stem, date } of (await store.catalogue()).decisions) {
    const text = (await store.read(decisionPath(stem))) ?? ''
    const cleaned = await clean(text)
    const decision = readable(cleaned, `${stem}.md`)
    isChanged ||= cleaned !== text
    if (decision !== undefined)
      index[hashOf(decision)] = {
        decision_id: stem,
        timestamp: before.find((entry) => entry.decision_id === stem)?.timestamp ?? `${date}T00:00:00.000Z`,
      }
  }
  return isChanged ? formatHashIndex(index) : undefined
}

function readable(text: string, filename: string): Decision | undefined {
  try {
    return parseDecision(text, filename)
  } catch {
    return undefined
  }
}

interface RedactionProof {
  readonly searched: number
  /** Files in which something was found after all. */
  readonly left: readonly string[]
}

/**
 * Looks for secrets again: by the rules in every text, and by their values in every byte that is kept for the record.
 */
async function proveRedaction(store: Store, redactor: Redactor, lookFor: readonly string[]): Promise<RedactionProof> {
  const left = new Set<string>()
  let searched = 0
  await store.care.readThrough(async (text, path) => {
    if ((await redactor.redact(text)).count > 0) left.add(path)
  })
  const wanted = lookFor.flatMap(spellings)
  for await (const { path, text } of store.care.everything()) {
    searched++
    const folded = text.toLowerCase()
    if (wanted.some((value) => folded.includes(value))) left.add(path)
  }
  return { searched, left: [...left] }
}

/** As it is, and as JSON spells it; index terms are lower-cased. */
const spellings = (value: string): string[] => {
  const escaped = JSON.stringify(value).slice(1, -1)
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([value, escaped, ascii])].map((text) => text.toLowerCase())
}

/** Takes the secrets out of every text that the record keeps. This cannot be undone. */
export const redactRecord = (ctx: Context, store: Store, plan: SecretPlan): Promise<Rewritten> =>
  store.care.rewrite(ctx.origin, {
    operation: 'redact',
    facts: { secrets: plan.secrets },
    change: plan.change,
    rename: plan.rename,
  })

/**
 * What comes after the record itself: caches and the search index, which a run that was killed may not have reached.
 */
export async function finishInterrupted(ctx: Context, store: Store, { change, rename }: SecretPlan): Promise<void> {
  if ((await store.journal()).at(-1)?.operation !== 'redact') return
  await store.care.rewrite(ctx.origin, { operation: 'redact', facts: {}, change, rename })
  await refreshIndex(ctx)
}

const INDEX_FILE = /[/\\]index\.db(?:-wal|-shm)?$/

/** Looks for the secrets in the record and all over Ken's home. The search index holds the record too; it is brought up to date
 * first. */
export async function proveEverywhere(
  ctx: Context,
  store: Store,
  plan: SecretPlan,
): Promise<{ searched: number; left: string[]; elsewhere: string[] }> {
  const { searched, left } = await proveRedaction(store, ctx.redactor, plan.lookFor)
  if (plan.lookFor.length === 0) return { searched, left: [...left], elsewhere: [] }
  const parts = await ctx.upkeep()
  if ((await parts.homeFiles.find(plan.lookFor)).traces.some(({ path }) => INDEX_FILE.test(path)))
    await refreshIndex(ctx)
  const home = await parts.homeFiles.find(plan.lookFor)
  const holding = [...new Set(home.traces.map(({ path }) => path))]
  const own = holding.filter((path) => INDEX_FILE.test(path))
  const inRecord = (path: string) => path.startsWith(store.project.location)
  return {
    searched: searched + home.searched,
    left: [...left, ...own],
    elsewhere: holding.filter((path) => !INDEX_FILE.test(path) && !inRecord(path)),
  }
}

async function refreshIndex(ctx: Context): Promise<void> {
  const { busy } = await (await ctx.memory()).update({ collections: ['record'], embed: false, progress: ctx.progress })
  if (busy)
    throw new AppError(
      'unavailable',
      'The record is clean, but another process keeps the search index from being updated.',
      { hint: 'Run `ken redact` again when that process has ended.' },
    )
  await (await ctx.upkeep()).space.reclaim()
}
