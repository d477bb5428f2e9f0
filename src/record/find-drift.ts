import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import { type Decision, isSeed, label } from '../core/decision/decision.ts'
import { chosenThings } from '../core/drift/chosen.ts'
import { type Drift, DRIFT_LEVELS, NEXT } from '../core/drift/drift.ts'
import { type Standpoint, joinReplaced } from '../core/drift/judge-things.ts'
import { lastStoodBy, placeOfDecision } from '../core/drift/place-of-decision.ts'
import { workspaceScope } from '../core/drift/workspace-scope.ts'
import { AppError } from '../core/errors.ts'
import { fileKind } from '../core/guard/file-kind.ts'
import { KNOWN_NAMES, type Wanted, wantedIds } from '../core/names/mentions.ts'
import { rejectedThings } from '../core/names/names-of.ts'
import type { Context } from '../ports/context.ts'
import type { Commit, RepositoryHistory } from '../ports/repository-history.ts'
import type { Store } from '../ports/store.ts'
import { openFileDrift } from './drift-of-files.ts'
import { pinDrift } from './drift-of-pins.ts'
import { chosenDrift, rejectedDrift } from './drift-of-things.ts'
import { noSuchDecision, readDecisions } from './read-decision.ts'
import { type RepositoryStock, readStock } from './repository-stock.ts'

export interface DriftFinding extends Drift {
  readonly decision: { readonly num: number; readonly label: string; readonly title: string; readonly date: string }
  /** What is left to do. */
  readonly next: string
}

export interface DriftReport {
  /** Active decisions that were held against the repository. */
  readonly judged: number
  readonly findings: readonly DriftFinding[]
  /** Decisions of which less can be told, and why. */
  readonly untold: readonly { readonly decision: string; readonly why: string }[]
  /** The decisions that the findings are about. */
  readonly shown: readonly CatalogueEntry[]
}

/** Where the repository has left its active decisions behind: since each was made, or since a later revision or day. */
export async function findDrift(
  ctx: Context,
  store: Store,
  { only, since }: { only?: readonly number[] | undefined; since?: string | undefined },
): Promise<DriftReport> {
  const catalogue = await store.catalogue()
  const active = catalogue.decisions.filter((entry) => entry.status === 'active' && !isSeed(entry))
  const entries = only === undefined ? active : active.filter((entry) => only.includes(entry.num))
  const unknown = only?.find((num) => !catalogue.decisions.some((entry) => entry.num === num))
  if (unknown !== undefined) throw noSuchDecision(unknown, catalogue)
  const history = await ctx.repositoryHistory()
  if (history === undefined) throw noRepository()
  try {
    const texts = await readDecisions(store, catalogue.decisions)
    return await judgeAll(ctx, { store, history, active, entries, texts, since })
  } finally {
    history.close()
  }
}

interface Given {
  readonly store: Store
  readonly history: RepositoryHistory
  /** All that stand, and those that are judged. */
  readonly active: readonly CatalogueEntry[]
  readonly entries: readonly CatalogueEntry[]
  readonly texts: ReadonlyMap<string, Decision>
  readonly since: string | undefined
}

async function judgeAll(ctx: Context, given: Given): Promise<DriftReport> {
  const { history, entries, texts } = given
  const line = await history.line()
  const start = given.since === undefined ? undefined : await placeSince(history, given.since, line)
  const stood = lastStoodBy(await given.store.journal())
  const places = new Map(line.map(({ id }, place) => [id, place]))
  const stock = await readStock(history, line, wantedThings([...texts.values()]))
  const files = openFileDrift(history, { line, stock })
  const manifests = stock.files.map(({ path }) => path).filter((path) => fileKind(path) === 'manifest')
  const chosenBy = chosenElsewhere(given, stock)
  const findings: DriftFinding[] = []
  const untold: { decision: string; why: string }[] = []
  for (const [i, entry] of entries.entries()) {
    ctx.progress('Holding decisions against the repository', i, entries.length)
    const decision = texts.get(entry.stem)
    if (decision === undefined) continue
    const own = placeOfDecision({ date: entry.date, stood: stood.get(entry.stem) }, line, {
      places,
      isShallow: history.isShallow,
    })
    const isUnknown = own.isUnknown && start === undefined
    if (isUnknown)
      untold.push({
        decision: label(entry.num),
        why: line.length === 0 ? 'nothing is committed yet' : 'it is older than the history here',
      })
    const at: Standpoint = {
      place: Math.max(own.place, start ?? -1),
      isUnknown,
      scope: workspaceScope(decision.files_affected, manifests),
    }
    const things = [
      ...(await rejectedDrift(ctx, decision, { stock, at, isChosen: (id) => chosenBy.has(id) })),
      ...(await chosenDrift(decision, { stock, at })),
    ]
    const found = [
      ...joinReplaced(things),
      ...(await pinDrift(decision, { stock, at })),
      ...(await files.judge(decision, at)),
    ]
    findings.push(
      ...found.map((each) => ({
        ...each,
        decision: { num: entry.num, label: label(entry.num), title: entry.title, date: entry.date },
        next: NEXT[each.kind],
      })),
    )
  }
  findings.sort(byLevel)
  const named = new Set(findings.map(({ decision }) => decision.num))
  return { judged: entries.length, findings, untold, shown: entries.filter(({ num }) => named.has(num)) }
}

const byLevel = (a: DriftFinding, b: DriftFinding): number =>
  DRIFT_LEVELS.indexOf(a.level) - DRIFT_LEVELS.indexOf(b.level) ||
  a.decision.num - b.decision.num ||
  (a.about < b.about ? -1 : 1)

/** What names of packages are read for: everything that was turned down, and everything that has a known name. */
function wantedThings(decisions: readonly Decision[]): Wanted {
  const rejected = wantedIds(decisions.flatMap((decision) => rejectedThings(decision).map(({ thing }) => thing.id)))
  return { has: (id) => rejected.has(id) || KNOWN_NAMES.has(id), begins: rejected.begins }
}

/** What some active decision chose: it is wanted, whatever another one rejected it for. */
function chosenElsewhere({ active, texts }: Given, stock: RepositoryStock): ReadonlySet<string> {
  return new Set(
    active.flatMap(({ stem }) => {
      const decision = texts.get(stem)
      return decision === undefined
        ? []
        : chosenThings({ ...decision, rationale: '' }, stock.isPackage).flatMap(({ marks }) => marks)
    }),
  )
}

/** A day counts with all its commits left out; a revision with itself. */
async function placeSince(history: RepositoryHistory, since: string, line: readonly Commit[]): Promise<number> {
  if (/^\d{4}-\d{2}-\d{2}$/.test(since)) return line.findLastIndex(({ at }) => at < since)
  const place = await history.placeOf(since)
  if (place !== undefined) return place
  throw new AppError('not_found', `git knows no revision "${since}" here.`, {
    hint: 'Name a day (2026-05-01), or a revision; in CI, check out with the full history.',
  })
}

const noRepository = (): AppError =>
  new AppError('not_found', 'There is no git repository here, so what changed since a decision cannot be told.', {
    hint: 'Run it inside a working tree of git.',
  })
