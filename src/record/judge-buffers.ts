import { type LineEdit, lineEdits } from '../kernel/domain/text/unified-diff.ts'
import type { CodeParser } from '../retrieval/ports/code-parser.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import type { Decision } from './domain/decision/decision.ts'
import { governedBy } from './domain/decision/governs.ts'
import { addedLines, type Changed, namesTakenAway } from './domain/guard/added-lines.ts'
import { isConfig, mayDescribeCloud } from './domain/guard/config-names.ts'
import { fileKind } from './domain/guard/file-kind.ts'
import type { Finding } from './domain/guard/finding.ts'
import { governedFindings } from './domain/guard/judge.ts'
import { mayReturn, returnsFindings, turnedDownIn } from './domain/guard/returns.ts'
import { diffTopics } from './domain/guard/topics.ts'
import { type TopicHit, touchedFindings } from './domain/guard/touched.ts'
import type { RecordTexts } from './domain/guard/turned-down.ts'
import { mentionsIn } from './domain/names/mentions.ts'
import { HITS_PER_TOPIC, withoutTests } from './guard.ts'
import type { LocalRecordNeeds } from './ports/record-needs.ts'
import type { ChangedFile, Repository } from './ports/repository.ts'
import type { Store } from './ports/store.ts'
import { MAY_IMPORT, readChanges } from './read-changes.ts'
import { readDecisions } from './read-decision.ts'

/** Checks files open in an editor against decisions while they are typed, as `ken guard` does once they are saved. */
export interface BufferJudge {
  /** The record as last read; the same object until it changes. */
  record(): RecordTexts
  /** Rereads HEAD, the working tree and the record. Returns true if one of them changed. */
  refresh(): Promise<boolean>
  /** Rereads only the record, which is fast. Returns true if it changed. */
  refreshRecord(): Promise<boolean>
  /** The findings of one file with this text; none for files that guard does not check. Paths start at the root. */
  judge(path: string, text: string): Promise<readonly Finding[]>
  /** Searches the record for the words of a judged file, which takes longer. Returns true if findings changed. */
  lookUp(path: string): Promise<boolean>
  /** The active decisions that name a file. */
  governing(path: string): readonly CatalogueEntry[]
  close(path: string): void
}

/** A larger text is generated or data; guard does not read it in full either. */
const LONGEST_BUFFER = 1024 * 1024
// Limits of a git diff, applied to a buffer.
const MOST_LINES = 5_000
const LONGEST_LINE = 2_000
// Each lookup is a search of the record; a file with more new words than this is being generated.
const MOST_LOOKED_UP = 40
// Distinct lines remembered per file; typing adds one with every key.
const MOST_REMEMBERED = 20_000

// A comment, a multi-line string or a condition around an import decides whether it counts as one.
const ENCLOSES = /\/\*|\*\/|"""|'''|`|<!--|-->|^=(?:begin|end)|^\s*#\s*(?:if|el|end)/

/** The committed state of a file. */
interface Base {
  readonly status: 'added' | 'modified' | 'renamed'
  readonly previousPath: string | undefined
  readonly text: string | undefined
  readonly lines: readonly string[]
}

interface Buffer {
  changed: Changed
  /** Whether a line can matter, by its text. */
  readonly lines: Map<string, { readonly mayReturn: boolean; readonly mayImport: boolean }>
  imports?: { readonly of: string; readonly found: readonly Anchored[] }
  touched: readonly { readonly finding: Finding; readonly text: string | undefined }[]
}

interface Anchored {
  readonly module: string
  readonly line: number
  readonly text: string
}

interface Parts extends Pick<LocalRecordNeeds, 'codeParser'> {
  readonly repository: Repository
  readonly store: Pick<Store, 'catalogue' | 'read' | 'rank'>
}

export function openBufferJudge({ repository, store, codeParser }: Parts): BufferJudge {
  let head: string | undefined
  let worktree: ReadonlyMap<string, ChangedFile> = new Map()
  let worktreeKey = ''
  let record: RecordTexts = { decisions: [], texts: new Map() }
  const bases = new Map<string, Promise<Base | undefined>>()
  const buffers = new Map<string, Buffer>()
  const governing = new Map<string, readonly CatalogueEntry[]>()
  /** Names that a changed file on disk no longer uses, by its path. */
  let losses: ReadonlyMap<string, readonly string[]> = new Map()

  // One at a time: the state of an earlier reading must not replace the state of a later one.
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn(work: () => Promise<boolean>): Promise<boolean> {
    const next = turn.then(work)
    turn = next.catch(() => undefined)
    return next
  }

  async function readRecord(): Promise<boolean> {
    const { decisions } = await store.catalogue()
    if (decisions === record.decisions) return false
    const known = new Map(record.decisions.map((entry) => [entry.stem, entry]))
    const isSame = (entry: CatalogueEntry) => known.get(entry.stem) === entry && record.texts.has(entry.stem)
    const kept = decisions.filter(isSame).map(({ stem }): [string, Decision] => [stem, record.texts.get(stem)!])
    const read = await readDecisions(
      store,
      decisions.filter((entry) => !isSame(entry)),
    )
    record = { decisions, texts: new Map([...kept, ...read]) }
    forget()
    return true
  }

  async function readWorktree(): Promise<boolean> {
    const [now, diff] = await Promise.all([repository.head(), repository.diff(undefined)])
    const files = await withoutTests(repository, diff)
    const key = JSON.stringify(files.map(({ path, status, removed }) => [path, status, removed]))
    if (now === head && key === worktreeKey) return false
    ;[head, worktreeKey, worktree] = [now, key, new Map(files.map((file) => [file.path, file]))]
    bases.clear()
    const losing = files.filter(({ status, removed }) => status !== 'added' || removed.length > 0)
    const read = await readChanges({ codeParser, repository: async () => repository }, losing, {
      base: undefined,
      isNamed: () => false,
    })
    losses = new Map(read.map((file) => [file.path, namesTakenAway(file)]))
    return true
  }

  /** Reduces the text to lines that may matter to the record. */
  function forget(): void {
    governing.clear()
    for (const buffer of buffers.values()) {
      buffer.lines.clear()
      buffer.touched = []
    }
  }

  async function readBase(path: string): Promise<Base | undefined> {
    const changed = worktree.get(path)
    const [judged] = await withoutTests(repository, [changed ?? unchanged(path)])
    if (judged === undefined) return undefined
    if (changed?.status === 'added') return { status: 'added', previousPath: undefined, text: undefined, lines: [] }
    const previousPath = changed?.status === 'renamed' ? changed.previousPath : undefined
    const text = await repository.text(previousPath ?? path, { base: undefined })
    // Ignored by git, never saved, binary, or too large to read.
    if (text === undefined) return undefined
    return { status: previousPath === undefined ? 'modified' : 'renamed', previousPath, text, lines: linesOf(text) }
  }

  function baseOf(path: string): Promise<Base | undefined> {
    const base = bases.get(path) ?? readBase(path)
    bases.set(path, base)
    base.catch(() => bases.delete(path))
    return base
  }

  const lostElsewhere = (path: string): string[] => [
    ...[...losses].flatMap(([file, names]) => (file === path || buffers.has(file) ? [] : names)),
    ...[...buffers].flatMap(([file, { changed }]) => (file === path ? [] : namesTakenAway(changed))),
  ]

  /** The added lines that can matter: all others are judged once, when they are typed. */
  function relevant(buffer: Buffer, changed: ChangedFile): ChangedFile['added'] {
    const distinct = new Map(changed.added.map((each) => [each.text, each]))
    const fresh = [...distinct.values()].filter(({ text }) => !buffer.lines.has(text))
    if (buffer.lines.size + fresh.length > MOST_REMEMBERED) buffer.lines.clear()
    const lines = addedLines([{ ...changed, status: 'modified', previousPath: undefined, added: fresh, removed: [] }])
    const returning = new Set(lines.filter((line) => mayReturn(line, record)).map(({ line }) => line))
    const { wanted } = turnedDownIn(record)
    for (const { line, text } of fresh)
      buffer.lines.set(text, {
        mayReturn: returning.has(line),
        mayImport: MAY_IMPORT.test(text) && mentionsIn(text, wanted).length > 0,
      })
    return changed.added.filter(({ text }) => {
      const known = buffer.lines.get(text)
      return known === undefined || known.mayReturn || known.mayImport
    })
  }

  /** Keeps the imports of a file while no line that could change them is edited; parsing costs much more. */
  function cachedParser(buffer: Buffer, lines: readonly string[], added: ChangedFile['added']): CodeParser {
    return {
      async parse(text, language) {
        const importing = new Set(
          added.filter((each) => buffer.lines.get(each.text)?.mayImport !== false).map(({ line }) => line),
        )
        const of = lines.filter((each, i) => importing.has(i + 1) || ENCLOSES.test(each)).join('\n')
        const known = buffer.imports?.of === of ? moved(buffer.imports.found, lines) : undefined
        if (known !== undefined) return { definitions: [], imports: known, calls: [] }
        const outline = await (await codeParser()).parse(text, language)
        if (outline === undefined) return undefined
        buffer.imports = { of, found: outline.imports.map((each) => ({ ...each, text: lines[each.line - 1] ?? '' })) }
        return outline
      },
      close: async () => {},
    }
  }

  async function readBuffer(path: string, text: string, buffer: Buffer, base: Base): Promise<Changed> {
    const lines = linesOf(text)
    const changed = changeOf(path, lines, base)
    const isWhole = fileKind(path) !== 'code' || (base.status === 'added' && (isConfig(path) || mayDescribeCloud(path)))
    const added = isWhole ? changed.added : relevant(buffer, changed)
    const inBuffer = { ...repository, text: async (_: string, at: unknown) => (at === 'now' ? text : base.text) }
    const [read] = await readChanges(
      { codeParser: async () => cachedParser(buffer, lines, added), repository: async () => inBuffer },
      [{ ...changed, added }],
      { base: undefined, isNamed: (line) => buffer.lines.get(line)?.mayImport ?? true },
    )
    buffer.changed = { ...read!, added: changed.added }
    return read!
  }

  function governingOf(path: string): readonly CatalogueEntry[] {
    const known = governing.get(path)
    if (known !== undefined) return known
    const found = record.decisions.filter(
      ({ status, files_affected: patterns }) =>
        status === 'active' && patterns.some((pattern) => governedBy(pattern)(path)),
    )
    governing.set(path, found)
    return found
  }

  return {
    record: () => record,
    refresh: () =>
      inTurn(async () => {
        const [ofRecord, ofWorktree] = await Promise.all([readRecord(), readWorktree()])
        for (const buffer of buffers.values()) delete buffer.imports
        return ofRecord || ofWorktree
      }),
    refreshRecord: () => inTurn(readRecord),
    async judge(path, text) {
      const base = text.length > LONGEST_BUFFER ? undefined : await baseOf(path)
      if (base === undefined) {
        buffers.delete(path)
        return []
      }
      const buffer = buffers.get(path) ?? { changed: unchanged(path), lines: new Map(), touched: [] }
      buffers.set(path, buffer)
      const read = await readBuffer(path, text, buffer, base)
      const { changed } = buffer
      if (changed.status === 'modified' && changed.added.length === 0 && changed.removed.length === 0) return []
      const isInert = read.added.length === 0 && read.status !== 'added'
      const certain = [
        ...(isInert ? [] : returnsFindings(addedLines([read], lostElsewhere(path)), record)),
        ...governedFindings([read], governingOf(path)),
      ]
      const spoken = new Set(certain.map(({ decision }) => decision.num))
      return [...certain, ...stillTouched(buffer).filter(({ decision }) => !spoken.has(decision.num))]
    },
    async lookUp(path) {
      const buffer = buffers.get(path)
      if (buffer === undefined) return false
      const { changed } = buffer
      const { topics } = diffTopics([changed], addedLines([changed], lostElsewhere(path)))
      const hits: TopicHit[] = []
      for (const topic of topics.slice(0, MOST_LOOKED_UP)) {
        const ranked = await store.rank({ text: topic.query, limit: HITS_PER_TOPIC, among: 'active', check: true })
        for (const { entry, verdict } of ranked.hits) {
          const text = record.texts.get(entry.stem)
          if (text !== undefined) hits.push({ topic, entry, text, verdict })
        }
      }
      const before = JSON.stringify(buffer.touched)
      buffer.touched = touchedFindings(hits).map((finding) => ({
        finding,
        text: changed.added.find(({ line }) => line === finding.line)?.text,
      }))
      return JSON.stringify(buffer.touched) !== before
    },
    governing: governingOf,
    close: (path) => void buffers.delete(path),
  }
}

/** Findings by words, at the current positions of their lines; without findings on deleted lines. */
function stillTouched({ touched, changed }: Buffer): Finding[] {
  return touched.flatMap(({ finding, text }) => {
    if (finding.line === null) return [finding]
    const now = changed.added.find((each) => each.text === text)
    return now === undefined ? [] : [{ ...finding, line: now.line }]
  })
}

/** Imports at the current position of their lines; undefined if one of the lines was deleted. */
function moved(imports: readonly Anchored[], lines: readonly string[]): Anchored[] | undefined {
  let after = 0
  const found: Anchored[] = []
  for (const each of imports) {
    const at = lines[each.line - 1] === each.text ? each.line - 1 : lines.indexOf(each.text, after)
    if (at < 0) return undefined
    after = at
    found.push({ ...each, line: at + 1 })
  }
  return found
}

const unchanged = (path: string): ChangedFile => ({
  path,
  status: 'modified',
  previousPath: undefined,
  added: [],
  removed: [],
  cut: false,
})

/** The lines of a text for a comparison as in git, without carriage returns. */
function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function changeOf(path: string, after: readonly string[], { status, previousPath, lines: before }: Base): ChangedFile {
  const edits = status === 'added' ? [{ fromA: 0, toA: 0, fromB: 0, toB: after.length }] : editsBetween(before, after)
  const added = edits.flatMap(({ fromB, toB }) =>
    after.slice(fromB, toB).map((line, i) => ({ line: fromB + i + 1, text: line.slice(0, LONGEST_LINE) })),
  )
  const removed = edits.flatMap(({ fromA, toA }) => before.slice(fromA, toA).map((line) => line.slice(0, LONGEST_LINE)))
  return {
    path,
    status,
    previousPath,
    added: added.slice(0, MOST_LINES),
    removed: removed.slice(0, MOST_LINES),
    cut: added.length > MOST_LINES,
  }
}

/**
 * The edits between two texts; most keystrokes change one line of many, so equal beginnings and ends are not compared.
 */
function editsBetween(before: readonly string[], after: readonly string[]): LineEdit[] {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const edits = lineEdits(before.slice(start, before.length - end), after.slice(start, after.length - end))
  return edits.map(({ fromA, toA, fromB, toB }) => ({
    fromA: fromA + start,
    toA: toA + start,
    fromB: fromB + start,
    toB: toB + start,
  }))
}
