import type { PathTest } from '../kernel/domain/glob.ts'
import { plural } from '../kernel/domain/text.ts'
import type { Decision } from './domain/decision/decision.ts'
import { governedBy } from './domain/decision/governs.ts'
import { lostLines, tellingLines, withoutReset } from './domain/drift/changed-share.ts'
import { type Drift, drift } from './domain/drift/drift.ts'
import type { Standpoint } from './domain/drift/judge-things.ts'
import { namedFiles } from './domain/drift/named-files.ts'
import { plainPart } from './domain/drift/workspace-scope.ts'
import { fileKind, isGenerated } from './domain/guard/file-kind.ts'
import { openMovedCode } from './moved-code.ts'
import type { Commit, Move, RepositoryHistory, TreeFile } from './ports/repository-history.ts'
import type { RepositoryStock } from './repository-stock.ts'

/** Finds drift in the files that decisions name. */
export interface FileDrift {
  judge(decision: Decision, at: Standpoint): Promise<Drift[]>
}

// A decision that names more is about everything, and each pattern is matched against every file.
const MOST_PATTERNS = 100
/** Share of changed original lines that counts as a large change: half. */
const MUCH = 0.5
// If fewer lines changed, it is a change of a setting, however large their share.
const LEAST_LINES = 6
const MOST_FILES = 2_000
// Decisions share files, so the lines of up to this many are cached.
const MOST_KEPT = 5_000
// A shorter line may occur anywhere.
const SHORTEST_MOVED = 12

export function openFileDrift(
  history: RepositoryHistory,
  { line, stock }: { line: readonly Commit[]; stock: RepositoryStock },
): FileDrift {
  const now = new Map(stock.files.map((file) => [file.path, file]))
  const byContent = new Map(stock.files.map((file) => [file.content, file]))
  const movedCode = openMovedCode(history, stock.files)
  let moves: Promise<Moves> | undefined
  const movesOf = () => (moves ??= history.moves(undefined).then(indexMoves))
  const patternsOf = new Map<string, PathTest>()
  const fits = (pattern: string): PathTest => {
    const known = patternsOf.get(pattern) ?? governedBy(pattern)
    patternsOf.set(pattern, known)
    return known
  }
  const read = new Map<string, readonly string[]>()
  /** The distinctive lines of files, by content. */
  async function linesOf(files: readonly TreeFile[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, readonly string[]>()
    for (const { content } of files) if (read.has(content)) found.set(content, read.get(content)!)
    const texts = await history.texts(files.flatMap(({ content }) => (found.has(content) ? [] : [content])))
    if (read.size >= MOST_KEPT) read.clear()
    for (const { path, content } of files) {
      const lines = found.get(content) ?? tellingLines(path, texts.get(content) ?? '')
      read.set(content, lines)
      found.set(content, lines)
    }
    return found
  }
  const today = new Map<string, readonly TreeFile[]>()
  const matching = async (at: string, pattern: string): Promise<readonly TreeFile[]> => {
    const known = at === 'now' ? today.get(pattern) : undefined
    if (known !== undefined) return known
    const below = plainPart(pattern)
    const files = await history.files(at, below)
    const isFitting = fits(pattern)
    const found = isGlob(pattern) ? files.filter(({ path }) => isFitting(path)) : files
    if (at === 'now') today.set(pattern, found)
    return found
  }

  /** The current location of a past file; undefined if it is gone. */
  async function followed(file: TreeFile, since: Commit): Promise<TreeFile | undefined> {
    const here = now.get(file.path) ?? byContent.get(file.content)
    if (here !== undefined) return here
    const end = lastName(file.path, since.at, await movesOf())
    return (end === undefined ? undefined : now.get(end)) ?? movedCode.of(file, since.id)
  }

  async function goneFiles(pattern: string, at: Standpoint): Promise<Drift[]> {
    if ((await matching('now', pattern)).length > 0) return []
    const commit = line[at.place]
    const since = commit?.at ?? ''
    const before = commit === undefined ? [] : await matching(commit.id, pattern)
    for (const file of before) if ((await followed(file, commit!)) !== undefined) return []
    const isFitting = fits(pattern)
    const later = (await movesOf()).all.filter((move) => move.commit.at >= since && isFitting(move.from))
    if (before.length === 0 && later.length === 0) return []
    for (const move of later) {
      const end = lastName(move.from, since, await movesOf())
      if (end !== undefined && now.has(end)) return []
    }
    const last = later.findLast(({ to }) => to === undefined)
    return [
      drift('files_gone', {
        about: pattern,
        path: last?.from ?? before[0]?.path ?? pattern,
        line: null,
        commit: last?.commit ?? null,
        was: before.length === 0 ? 'it was there since' : `it was ${plural(before.length, 'file')}`,
        now: `nothing is there any more${last === undefined ? '' : ', deleted and not renamed'}`,
      }),
    ]
  }

  async function changed(decision: Decision, patterns: readonly string[], at: Standpoint): Promise<Drift[]> {
    const commit = line[at.place]
    if (commit === undefined) return []
    const before = new Map<string, TreeFile>()
    const governed = new Set<TreeFile>()
    for (const pattern of patterns) {
      for (const file of await matching(commit.id, pattern))
        if (isJudged(file.path, pattern)) before.set(file.path, file)
      for (const file of await matching('now', pattern)) governed.add(file)
    }
    const pairs: { from: TreeFile; to: TreeFile | undefined }[] = []
    for (const from of [...before.values()].slice(0, MOST_FILES)) pairs.push({ from, to: await followed(from, commit) })
    const differing = pairs.filter(({ from, to }) => from.content !== to?.content)
    if (differing.length === 0) return []
    for (const { to } of pairs) if (to !== undefined) governed.add(to)
    const after = [...governed]
      .filter(({ path }) => fileKind(path) !== 'ignored' || before.has(path))
      .slice(0, MOST_FILES)
    const lines = await linesOf([...pairs.map(({ from }) => from), ...after])
    const then = pairs.map(({ from }) => lines.get(from.content)!)
    const today = after.flatMap(({ content }) => lines.get(content)!)
    const total = then.reduce((sum, lines) => sum + lines.length, 0)
    let lost = lostLines(then, today)
    if (!isMuch(lost, total)) return []
    lost = withoutReset(then, lost, today)
    if (!isMuch(lost, total)) return []
    lost = await withoutMoved(then, lost, { commit: commit.id, governed })
    if (!isMuch(lost, total)) return []
    const worst = pairs
      .map(({ from }, i) => ({ path: from.path, count: countOf([lost[i]!]) }))
      .sort((a, b) => b.count - a.count)
    const [first, ...others] = worst.filter(({ count }) => count > 0)
    const count = countOf(lost)
    return [
      drift('changed_much', {
        about: `${Math.round((count / total) * 100)} % of ${decision.files_affected.slice(0, 3).join(', ')}${decision.files_affected.length > 3 ? ', …' : ''}`,
        path: first?.path ?? null,
        line: null,
        commit,
        was: `${plural(total, 'line')} in ${plural(pairs.length, 'file')} at ${commit.id.slice(0, 7)}`,
        now: `${count} of them are not there any more`,
        also: others.map(({ path }) => path),
      }),
    ]
  }

  /** Removes lines that only moved to files written or changed since. */
  async function withoutMoved(
    then: readonly (readonly string[])[],
    lost: readonly (readonly boolean[])[],
    { commit, governed }: { commit: string; governed: ReadonlySet<TreeFile> },
  ): Promise<boolean[][]> {
    const known = new Set((await history.files(commit, '')).map(({ content }) => content))
    const part = stock.files
      .filter((file) => !known.has(file.content) && !governed.has(file) && fileKind(file.path) === 'code')
      .slice(0, MOST_FILES)
    const elsewhere = new Set([...(await linesOf(part)).values()].flat())
    return then.map((lines, file) =>
      lines.map((each, i) => lost[file]![i]! && (each.length < SHORTEST_MOVED || !elsewhere.has(each))),
    )
  }

  async function goneNames(decision: Decision, at: Standpoint): Promise<Drift[]> {
    const commit = line[at.place]
    const found: Drift[] = []
    for (const name of namedFiles(decision)) {
      const before = commit === undefined ? [] : await named(name, commit.id)
      const file = before[0]
      if (file === undefined || (await named(name, 'now')).length > 0) continue
      if ((await followed(file, commit!)) !== undefined) continue
      const last = (await movesOf()).all.findLast((move) => move.from === file.path && move.to === undefined)
      found.push(
        drift('named_file_gone', {
          about: name,
          path: file.path,
          line: null,
          commit: last?.commit ?? null,
          was: `it names ${name}, which was there`,
          now: 'it is deleted and not renamed',
        }),
      )
    }
    return found
  }

  /** A file by its path, or by its last part if that is unique. */
  async function named(name: string, at: string): Promise<readonly TreeFile[]> {
    const exact = (await history.files(at, name)).filter(({ path }) => path === name)
    if (exact.length > 0) return exact
    const same = (await history.files(at, '')).filter(({ path }) => path.endsWith(`/${name}`))
    return at === 'now' || same.length === 1 ? same : []
  }

  return {
    async judge(decision, at) {
      if (at.isUnknown) return []
      const patterns = [...new Set(decision.files_affected)]
        .slice(0, MOST_PATTERNS)
        .filter((pattern) => pattern.trim() !== '' && !pattern.includes('\0'))
      const gone: Drift[] = []
      for (const pattern of patterns) gone.push(...(await goneFiles(pattern, at)))
      const missing = new Set(gone.map(({ about }) => about))
      return [
        ...gone,
        ...(await goneNames(decision, at)),
        ...(await changed(
          decision,
          patterns.filter((pattern) => !missing.has(pattern)),
          at,
        )),
      ]
    },
  }
}

const countOf = (lost: readonly (readonly boolean[])[]): number =>
  lost.reduce((sum, lines) => sum + lines.filter(Boolean).length, 0)

const isGlob = (pattern: string): boolean => /[*?[{]/.test(pattern)

const isMuch = (lost: readonly (readonly boolean[])[], total: number): boolean =>
  countOf(lost) >= Math.max(LEAST_LINES, total * MUCH)

/** Prose and the like count only if a decision names the exact file. */
const isJudged = (path: string, pattern: string): boolean =>
  fileKind(path) !== 'ignored' || (!isGenerated(path) && plainPart(pattern) === path)

interface Moves {
  readonly all: readonly Move[]
  readonly from: ReadonlyMap<string, readonly Move[]>
}

const indexMoves = (all: readonly Move[]): Moves => ({ all, from: Map.groupBy(all, ({ from }) => from) })

/** The final name of a file after all renames; undefined if it was deleted last. */
function lastName(path: string, since: string, moves: Moves): string | undefined {
  let [name, at] = [path, since]
  const seen = new Set([path])
  for (;;) {
    const move = moves.from
      .get(name)
      ?.findLast(({ commit, to }) => commit.at >= at && to !== undefined && !seen.has(to))
    if (move?.to === undefined) return name === path ? undefined : name
    ;[name, at] = [move.to, move.commit.at]
    seen.add(name)
  }
}
