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
  const found = openCleaned()
  await store.care.readThrough(async (text, path) => {
    const cleaned = await clean(text)
    if (cleaned === text) return
    places.set(path, (places.get(path) ?? 0) + Math.max(1, takenOut(text, cleaned).length))
    found.note(path, text, cleaned)
  })
  for (const stem of found.stems()) found.noteCurrent(stem, await clean((await store.read(decisionPath(stem))) ?? ''))
  return {
    secrets: values.size,
    places,
    get lookFor() {
      return [...telling, ...found.moves().map(([from]) => from)]
    },
    rename: (path) => renameStems(path, found.moves()),
    async change(text, path) {
      const cleaned = (path === HASHES ? found.movedHashes(text) : undefined) ?? (await clean(text))
      // A decision that was recorded since.
      if (cleaned !== text) found.note(path, text, cleaned)
      return renameStems(cleaned, found.moves())
    },
  }
}

/** Decisions that are cleaned: their new file names, if a secret is in the title, and their new hashes. */
function openCleaned() {
  const moves = new Map<string, string>()
  const stems = new Set<string>()
  /** By the hash before, or by the file name for an index that has another hash. */
  const decisions = new Map<string, Decision>()
  let known: { readonly size: number; readonly hashes: ReadonlyMap<string, string> } = { size: 0, hashes: new Map() }
  function hashes(): ReadonlyMap<string, string> {
    const size = moves.size + decisions.size
    if (known.size === size) return known.hashes
    const renamed = (text: string): string => renameStems(text, moves)
    const made = [...decisions].map(
      ([hash, { title, rationale }]) =>
        [hash, hashOf({ title: renamed(title), rationale: renamed(rationale) })] as const,
    )
    known = { size, hashes: new Map(made) }
    return known.hashes
  }
  return {
    moves: () => [...moves],
    stems: () => [...stems],
    noteCurrent(stem: string, cleaned: string): void {
      const is = readable(cleaned, `${stem}.md`)
      if (is !== undefined) decisions.set(stem, is)
    },
    note(path: string, text: string, cleaned: string): void {
      const stem = /^decisions\/(.+)\.md$/.exec(path)?.[1]
      const [was, is] = stem === undefined ? [] : [readable(text, `${stem}.md`), readable(cleaned, `${stem}.md`)]
      if (was === undefined || is === undefined) return
      stems.add(stem!)
      decisions.set(hashOf(was), is)
      const to = decisionStem(is.num, is.title)
      if (was.title !== is.title && to !== stem && decisionPath(decisionStem(was.num, was.title)) === path)
        moves.set(stem!, to)
    },
    /** The index of decisions by their text, with new hashes; undefined if it cannot be read. */
    movedHashes(text: string): string | undefined {
      const index = parseHashIndex(text)
      if (index === undefined) return undefined
      const [now, entries] = [hashes(), Object.entries(index)]
      const made = entries.map(
        ([hash, entry]) => [now.get(hash) ?? now.get(entry?.decision_id) ?? hash, entry] as const,
      )
      return made.every(([hash], at) => hash === entries[at]![0]) ? text : formatHashIndex(Object.fromEntries(made))
    },
  }
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
export const redactRecord = (ctx: Pick<Call, 'origin'>, store: Store, plan: SecretPlan): Promise<Rewritten> =>
  store.care.rewrite(ctx.origin, {
    operation: 'redact',
    facts: { secrets: plan.secrets },
    change: plan.change,
    rename: plan.rename,
  })
