import type { Call } from '../kernel/ports/call.ts'
import { languageOfFile } from '../retrieval/domain/chunking/code-files.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import type { Decision } from './domain/decision/decision.ts'
import { isInferred } from './domain/decision/inferred.ts'
import { chosenThings } from './domain/drift/chosen.ts'
import type { Drift } from './domain/drift/drift.ts'
import {
  type PlacedUse,
  type Standpoint,
  chosenGone,
  judgeRejected,
  strongestUse,
  wasThere,
} from './domain/drift/judge-things.ts'
import { packageOfImport } from './domain/guard/imports.ts'
import { nameKey } from './domain/names/known-names.ts'
import type { StandingRejection } from './domain/standing-rejections.ts'
import type { LocalRecordNeeds } from './ports/record-needs.ts'
import type { RepositoryStock } from './repository-stock.ts'

// Limit on distinct commits, because all code of each tree is read.
const MOST_TREES = 20
const scanned = new WeakMap<RepositoryStock, Set<string>>()

/** Rejected options that the repository uses now but did not use when they were rejected. */
export async function rejectedDrift(
  ctx: Call & LocalRecordNeeds,
  standing: readonly StandingRejection[],
  {
    stock,
    standpointOf,
    isChosen,
  }: {
    stock: RepositoryStock
    standpointOf: (by: CatalogueEntry) => Standpoint | undefined
    isChosen: (id: string) => boolean
  },
): Promise<Drift[]> {
  const found: Drift[] = []
  for (const rejected of standing) {
    const { id } = rejected.thing
    const at = standpointOf(rejected.by)
    // An alternative that an import only inferred was never stated, so nothing can contradict it.
    if (at === undefined || isInferred(rejected) || isChosen(id) || isChosen(`#${rejected.thing.key}`)) continue
    const use = await meantUse(ctx, stock, id, at)
    if (use === undefined) continue
    const drift = judgeRejected(rejected, { stock, at, use })
    if (drift !== undefined) found.push(drift)
  }
  // One package may match several rejected names: "Redis", "Redis with BullMQ".
  return [...new Map(found.toReversed().map((drift) => [`${drift.path}:${drift.line}`, drift])).values()].reverse()
}

/**
 * A use outside of manifests counts only if there was no other use at that time, and only if the parser confirms it.
 */
async function meantUse(
  ctx: Call & LocalRecordNeeds,
  stock: RepositoryStock,
  id: string,
  at: Standpoint,
): Promise<PlacedUse | undefined> {
  const uses = stock.now(id)
  const use = strongestUse(uses, at.scope)
  if (use === undefined || use.via === 'dependency' || (use.via === 'file' && stock.presence.has(id))) return use
  if (!at.isUnknown && (await isUsedAt(stock, id, at.place))) return undefined
  if (use.via !== 'import') return use
  for (const each of uses)
    if (each.via === 'import' && !each.isOwn && at.scope(each.path) && (await isImported(ctx, stock, each))) return each
  return undefined
}

async function isUsedAt(stock: RepositoryStock, mark: string, place: number): Promise<boolean> {
  const commit = stock.commit(place)
  if (commit === null) return false
  const known = scanned.get(stock) ?? new Set<string>()
  scanned.set(stock, known.add(commit.id))
  // Beyond the limit, nothing is reported, to avoid a wrong finding.
  return known.size > MOST_TREES || (await stock.usesAt(commit.id)).has(mark)
}

/** Checks with a parser: a line that looks like an import may be inside a string. */
async function isImported(
  ctx: Call & LocalRecordNeeds,
  stock: RepositoryStock,
  { path, name, line }: PlacedUse,
): Promise<boolean> {
  const language = languageOfFile(path)
  const file = stock.files.find((each) => each.path === path)
  const text = file === undefined ? undefined : await stock.text(file.content)
  if (language === undefined || text === undefined) return true
  const outline = await (await ctx.codeParser()).parse(text, language)
  return (
    outline === undefined ||
    outline.imports.some((each) => each.line === line || packageOfImport(path, each.module) === name)
  )
}

/** Things that a decision chose and that were used, but are no longer in any manifest or import. */
export async function chosenDrift(
  decision: Decision,
  { stock, at }: { stock: RepositoryStock; at: Standpoint },
): Promise<Drift[]> {
  const found: Drift[] = []
  for (const thing of chosenThings(decision, stock.isPackage)) {
    const isThere =
      thing.marks.some((mark) => stock.now(mark).length > 0) ||
      stock.now(`.${nameKey(thing.spelled)}`).some(({ isOwn }) => !isOwn)
    if (isThere || at.isUnknown || stock.vendored.has(nameKey(thing.spelled))) continue
    const was = wasThere(thing, { stock, at })
    if (was !== undefined) found.push(chosenGone(thing, was.left, stock))
    else if (await wasUsed(stock, thing.marks, at.place))
      found.push(chosenGone(thing, undefined, stock, 'no manifest, no import and no file'))
  }
  return found
}

async function wasUsed(stock: RepositoryStock, marks: readonly string[], place: number): Promise<boolean> {
  const commit = stock.commit(place)
  const known = scanned.get(stock) ?? new Set<string>()
  scanned.set(stock, known)
  if (commit === null || (!known.has(commit.id) && known.size >= MOST_TREES)) return false
  known.add(commit.id)
  const used = await stock.usesAt(commit.id)
  return marks.some((mark) => used.has(mark))
}
