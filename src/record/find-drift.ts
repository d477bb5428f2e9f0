import { AppError } from '../kernel/domain/errors.ts'
import { testsAmong } from '../kernel/domain/tests-among.ts'
import type { Call } from '../kernel/ports/call.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { type Decision, isSeed, label } from './domain/decision/decision.ts'
import { chosenThings } from './domain/drift/chosen.ts'
import { type Drift, DRIFT_LEVELS, NEXT } from './domain/drift/drift.ts'
import { type Standpoint, joinReplaced } from './domain/drift/judge-things.ts'
import { lastStoodBy, placeOfDecision } from './domain/drift/place-of-decision.ts'
import { workspaceScope } from './domain/drift/workspace-scope.ts'
import { fileKind } from './domain/guard/file-kind.ts'
import { KNOWN_NAMES, type Wanted, wantedIds } from './domain/names/mentions.ts'
import { rejectedThings } from './domain/names/names-of.ts'
import { lineageOf, standingRejections } from './domain/standing-rejections.ts'
import { openFileDrift } from './drift-of-files.ts'
import { pinDrift } from './drift-of-pins.ts'
import { chosenDrift, rejectedDrift } from './drift-of-things.ts'
import type { LocalRecordNeeds, RecordNeeds } from './ports/record-needs.ts'
import type { Commit, RepositoryHistory } from './ports/repository-history.ts'
import type { Store } from './ports/store.ts'
import { noSuchDecision, readDecisions } from './read-decision.ts'
import { type RepositoryStock, readStock } from './repository-stock.ts'

export interface DriftFinding extends Drift {
  readonly decision: { readonly num: number; readonly label: string; readonly title: string; readonly date: string }
  readonly next: string
}

export interface DriftReport {
  /** Number of active decisions that were checked against the repository. */
  readonly judged: number
  readonly findings: readonly DriftFinding[]
  /** Decisions that could not be checked fully, and why. */
  readonly untold: readonly { readonly decision: string; readonly why: string }[]
  /** The decisions that the findings are about. */
  readonly shown: readonly CatalogueEntry[]
}

/** Why changes since a decision cannot be checked in a new repository. */
export const UNCOMMITTED = 'nothing is committed yet'

/** Finds code that no longer follows its active decisions: since each was made, or since a later revision or day. */
export async function findDrift(
  ctx: Call & RecordNeeds & LocalRecordNeeds,
  store: Store,
  { only, since }: { only?: readonly number[] | undefined; since?: string | undefined },
): Promise<DriftReport> {
  const catalogue = await store.catalogue()
  const active = catalogue.decisions.filter((entry) => entry.status === 'active' && !isSeed(entry))
  const entries = only === undefined ? active : active.filter((entry) => only.includes(entry.num))
  const unknown = only?.find((num) => !catalogue.decisions.some((entry) => entry.num === num))
  if (unknown !== undefined) throw noSuchDecision(unknown, catalogue)
  const whole = await ctx.repositoryHistory()
  if (whole === undefined) throw noRepository()
  const history = withoutTests(whole)
  try {
    const texts = await readDecisions(store, catalogue.decisions)
    return await judgeAll(ctx, { store, history, all: catalogue.decisions, active, entries, texts, since })
  } finally {
    history.close()
  }
}

interface Given {
  readonly store: Store
  readonly history: RepositoryHistory
  readonly all: readonly CatalogueEntry[]
  /** All active decisions; `entries` are the decisions to check. */
  readonly active: readonly CatalogueEntry[]
  readonly entries: readonly CatalogueEntry[]
  readonly texts: ReadonlyMap<string, Decision>
  readonly since: string | undefined
}

async function judgeAll(ctx: Call & LocalRecordNeeds, given: Given): Promise<DriftReport> {
  const { history, entries, texts } = given
  const line = await history.line()
  const stock = await readStock(history, line, wantedThings([...texts.values()]))
  const lineage = lineageOf(given.all)
  const standpoints = await standpointsOf({ ...given, entries: entries.flatMap(lineage.behind) }, line, stock)
  const judged = entries.flatMap((entry) => {
    const [decision, at] = [texts.get(entry.stem), standpoints.get(entry.stem)]
    return decision === undefined || at === undefined ? [] : [{ entry, decision, at }]
  })
  const chosen = chosenByAny(given, stock)
  const things: Drift[][] = []
  for (const [i, { entry, decision, at }] of judged.entries()) {
    ctx.progress('Comparing decisions with installed packages', i, judged.length)
    const used = [
      ...(await rejectedDrift(
        ctx,
        standingRejections(entry, lineage, ({ stem }) => texts.get(stem)),
        {
          stock,
          standpointOf: ({ stem }) => standpoints.get(stem),
          isChosen: (id) => chosen.has(id),
        },
      )),
      ...(await chosenDrift(decision, { stock, at })),
    ]
    things.push([...joinReplaced(used), ...(await pinDrift(decision, { stock, at }))])
  }
  const files = openFileDrift(history, { line, stock })
  const found = await inGroups(
    judged,
    (done) => ctx.progress('Comparing decisions with their files', done, judged.length),
    ({ decision, at }) => files.judge(decision, at),
  )
  const findings = judged
    .flatMap(({ entry: { num, title, date } }, i) =>
      [...things[i]!, ...found[i]!].map((each) => ({
        ...each,
        decision: { num, label: label(num), title, date },
        next: NEXT[each.kind],
      })),
    )
    .sort(byLevel)
  const named = new Set(findings.map(({ decision }) => decision.num))
  const why = line.length === 0 ? UNCOMMITTED : 'the history here begins later'
  return {
    judged: judged.length,
    findings,
    untold: judged.filter(({ at }) => at.isUnknown).map(({ entry }) => ({ decision: label(entry.num), why })),
    shown: entries.filter(({ num }) => named.has(num)),
  }
}

// Number of decisions checked concurrently, so that their git requests are batched.
const AT_ONCE = 32

async function inGroups<T, R>(
  all: readonly T[],
  tell: (done: number) => void,
  work: (each: T) => Promise<R>,
): Promise<R[]> {
  const done: R[] = []
  for (let from = 0; from < all.length; from += AT_ONCE) {
    tell(from)
    done.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))))
  }
  return done
}

/** The commit from which each decision is checked, by stem. */
async function standpointsOf(
  { store, history, entries, since }: Given,
  line: readonly Commit[],
  stock: RepositoryStock,
): Promise<Map<string, Standpoint>> {
  const start = since === undefined ? undefined : await placeSince(history, since, line)
  const stood = lastStoodBy(await store.journal())
  const places = new Map(line.map(({ id }, place) => [id, place]))
  const manifests = stock.files.map(({ path }) => path).filter((path) => fileKind(path) === 'manifest')
  return new Map(
    entries.map(({ stem, date, files_affected }) => {
      const own = placeOfDecision({ date, stood: stood.get(stem) }, line, { places, isShallow: history.isShallow })
      return [
        stem,
        {
          place: Math.max(own.place, start ?? -1),
          isUnknown: own.isUnknown && start === undefined,
          scope: workspaceScope(files_affected, manifests),
        },
      ]
    }),
  )
}

const byLevel = (a: DriftFinding, b: DriftFinding): number =>
  DRIFT_LEVELS.indexOf(a.level) - DRIFT_LEVELS.indexOf(b.level) ||
  a.decision.num - b.decision.num ||
  (a.about < b.about ? -1 : 1)

/** The things to look for in package names: everything rejected, and everything with a known name. */
function wantedThings(decisions: readonly Decision[]): Wanted {
  const rejected = wantedIds(decisions.flatMap((decision) => rejectedThings(decision).map(({ thing }) => thing.id)))
  return { has: (id) => rejected.has(id) || KNOWN_NAMES.has(id), begins: rejected.begins }
}

/** Things that some active decision chose: they are wanted, even if another decision rejected them. */
function chosenByAny({ active, texts }: Given, stock: RepositoryStock): ReadonlySet<string> {
  return new Set(
    active.flatMap(({ stem }) => {
      const decision = texts.get(stem)
      return decision === undefined
        ? []
        : chosenThings({ ...decision, rationale: '' }, stock.isPackage).flatMap(({ marks }) => marks)
    }),
  )
}

/** For a day, the position of the last commit before it; for a revision, the position of that commit. */
async function placeSince(history: RepositoryHistory, since: string, line: readonly Commit[]): Promise<number> {
  if (/^\d{4}-\d{2}-\d{2}$/.test(since)) return line.findLastIndex(({ at }) => at < since)
  const place = await history.placeOf(since)
  if (place !== undefined) return place
  throw new AppError('not_found', `git has no revision "${since}" here.`, {
    hint: 'Use a day (2026-05-01) or a revision; in CI, check out the full history.',
  })
}

const noRepository = (): AppError =>
  new AppError('not_found', 'Not a git repository: can’t tell what changed since a decision.', {
    hint: 'Run it in a git working tree.',
  })

/**
 * The history without the cases of `ken test`: a case that proposes a rejected alternative does not use it, and agents
 * must not read its expectations.
 */
function withoutTests(history: RepositoryHistory): RepositoryHistory {
  const isTold = history.files('now', '').then((files) => {
    const isCase = testsAmong(files.map(({ path }) => path))
    return (path: string): boolean => !isCase(path)
  })
  // The failure is reported to the first caller.
  isTold.catch(() => {})
  return {
    isShallow: history.isShallow,
    line: () => history.line(),
    placeOf: (revision) => history.placeOf(revision),
    texts: (contents) => history.texts(contents),
    close: () => history.close(),
    async files(at, below) {
      const [files, told] = await Promise.all([history.files(at, below), isTold])
      return files.filter(({ path }) => told(path))
    },
    async moves(since) {
      const [moves, told] = await Promise.all([history.moves(since), isTold])
      return moves.filter(({ from }) => told(from))
    },
    async revisions(isWanted) {
      const told = await isTold
      return history.revisions((path) => told(path) && isWanted(path))
    },
  }
}
