import { isTelling, takenOut } from '../kernel/domain/taken-out.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { Redactor } from '../kernel/ports/redactor.ts'
import { renameStems } from './domain/decision-refs.ts'
import { decisionStem } from './domain/decision/decision-id.ts'
import type { Decision } from './domain/decision/decision.ts'
import { formatHashIndex, parseHashIndex } from './domain/decision/duplicate.ts'
import { parseDecision } from './domain/decision/parse.ts'
import { hashOf } from './domain/doctor.ts'
import { HASHES, decisionPath } from './domain/files.ts'
import type { Rewriting, Rewritten, Store } from './ports/store.ts'

export interface SecretPlan extends Pick<Rewriting, 'change' | 'rename'> {
  /** Number of different secrets. */
  readonly secrets: number
  /** Number of secrets per file, including its earlier texts. */
  readonly places: ReadonlyMap<string, number>
  /** Texts that must be gone afterwards: secrets recognisable by their value, and file names derived from them. */
  readonly lookFor: readonly string[]
}

const MARK = '[redacted]'

/**
 * Finds the secrets in a record, its journal and its past texts, and the redacted form of each text. Changes nothing.
 */
export async function planRedaction(store: Store, redactor: Redactor): Promise<SecretPlan> {
  const values = new Set<string>()
  // Read twice: the texts of a long history do not fit in memory.
  await store.care.readThrough(async (text) => {
    for (const value of takenOut(text, (await redactor.redact(text)).text)) values.add(value)
  })
  const telling = [...values].filter(isTelling).sort((a, b) => b.length - a.length)
  // Rules need the context of a text; the same value elsewhere, without that context, is the same secret.
  const clean = async (text: string): Promise<string> =>
    telling.reduce((said, value) => said.replaceAll(value, MARK), (await redactor.redact(text)).text)

  const places = new Map<string, number>()
  const moves = new Map<string, string>()
  await store.care.readThrough(async (text, path) => {
    const cleaned = await clean(text)
    if (cleaned === text) return
    places.set(path, (places.get(path) ?? 0) + Math.max(1, takenOut(text, cleaned).length))
    noteTitle({ path, text, cleaned }, moves)
  })
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

/** Notes a secret in a title, because it is also in the file name. */
function noteTitle(
  { path, text, cleaned }: { path: string; text: string; cleaned: string },
  moves: Map<string, string>,
): void {
  const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
  const [was, is] = stem === undefined ? [] : [readable(text, `${stem}.md`), readable(cleaned, `${stem}.md`)]
  if (was === undefined || is === undefined || was.title === is.title) return
  if (decisionPath(decisionStem(was.num, was.title)) === path) moves.set(stem!, decisionStem(is.num, is.title))
}

/** The index identifies decisions by their text, so it is rebuilt; undefined if no decision changes. */
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
  /** Files that still contain a secret. */
  readonly left: readonly string[]
}

/** Searches for secrets again: by the rules in every text, and by value in every byte kept for the record. */
export async function proveRedaction(
  store: Store,
  redactor: Redactor,
  lookFor: readonly string[],
): Promise<RedactionProof> {
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

/** The value and its JSON spellings, in lower case because index terms are. */
const spellings = (value: string): string[] => {
  const escaped = JSON.stringify(value).slice(1, -1)
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [...new Set([value, escaped, ascii])].map((text) => text.toLowerCase())
}

/** Removes the secrets from every text that the record keeps. This cannot be undone. */
export const redactRecord = (ctx: Call, store: Store, plan: SecretPlan): Promise<Rewritten> =>
  store.care.rewrite(ctx.origin, {
    operation: 'redact',
    facts: { secrets: plan.secrets },
    change: plan.change,
    rename: plan.rename,
  })
