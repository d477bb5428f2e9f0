import { pickMemories } from '../../analyst/domain/user-memory/pick-memories.ts'
import { memorySwitches } from '../../analyst/operations/memory-switches.ts'
import { linkSchema } from '../../context/link-schema.ts'
import { compiledTables } from '../../context/operations/list-tables.ts'
import type { ContextProject } from '../../context/ports/context-project.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { ellipsis } from '../../kernel/domain/text.ts'
import { toAppError } from '../../kernel/domain/to-app-error.ts'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { readOwnerLine } from '../../memory/domain/note/note-owner.ts'
import { documentTrust } from '../../memory/operations/document-trust.ts'
import { withinOf } from '../../memory/operations/memory-scope.ts'
import type { MemoryHit } from '../../memory/ports/memory.ts'
import type { Given } from '../../operations/context.ts'
import type { SearchScope } from '../../retrieval/domain/ranking/indexed-document.ts'
import type { Verdict } from '../../retrieval/domain/ranking/verdict.ts'
import { recordSources, type TouchedDecision } from '../brief-record.ts'
import { check } from '../check.ts'
import type { BriefSource } from '../domain/brief/brief-source.ts'
import { passagesOf, type Passage } from '../domain/brief/split-passages.ts'
import { decisionNumber } from '../domain/decision/decision-id.ts'
import { governs } from '../domain/decision/governs.ts'
import type { Store } from '../ports/store.ts'
import { latestMemories } from './latest-memories.ts'

export interface BriefAsked {
  readonly question: string | undefined
  readonly budget: number
  readonly project: string | undefined
  /** Unix milliseconds; includes only content that existed by then. */
  readonly until: number | undefined
}

export interface GatheredBrief {
  readonly sources: readonly BriefSource[]
  /** Parts that could not be read, with the reason. */
  readonly notes: readonly string[]
}

/**
 * Collects everything a brief may contain, from record, memory and context. Unreadable parts are left out with a note.
 */
export async function gatherBrief(
  ctx: Given<'analyst' | 'context' | 'memory' | 'record'>,
  asked: BriefAsked,
  store: Store | undefined,
): Promise<GatheredBrief> {
  const notes: string[] = []
  const orNone = (work: Promise<readonly BriefSource[]>, what: string): Promise<readonly BriefSource[]> =>
    work.catch((error: unknown) => {
      // The note precedes the envelope, and its message may name a file from a clone.
      notes.push(visibleLine(`${what}: ${toAppError(error).message}`))
      return []
    })
  const isNow = asked.until === undefined
  const project = await ctx.contextProject().catch(() => undefined)
  const parts = await Promise.all([
    // User rules and table details are known only as they are now; no history of them is kept.
    isNow ? orNone(ruleSources(ctx, asked, store), 'What the user wants could not be read') : [],
    store === undefined ? [] : fromRecord(ctx, asked, store),
    orNone(fromMemory(ctx, asked, project), 'The memory could not be searched'),
    project === undefined || !isNow ? [] : orNone(fromTables(ctx, asked, project), 'The context could not be read'),
  ])
  return { sources: parts.flat(), notes }
}

/** Share of a brief that rules may take. */
const FOR_RULES = 0.2
const MOST_FOR_RULES = 400

async function ruleSources(
  ctx: Given<'analyst' | 'context'>,
  { budget }: BriefAsked,
  store: Store | undefined,
): Promise<BriefSource[]> {
  if (!(await memorySwitches(ctx)).uses) return []
  const rows = await (await ctx.analystState()).memories.active(ctx.user, store?.project.id)
  const rules = rows.filter(({ category }) => category === 'global_rule')
  const lines = pickMemories(rules, { tokens: MOST_FOR_RULES }).picked.map(({ id, content }, at) => ({
    text: visibleLine(redactSecrets(content).text),
    source: id,
    at: '',
    trust: 'approved' as const,
    prior: 1.5 - 0.01 * at,
  }))
  let room = budget * FOR_RULES * 4
  const fitting = lines.filter(({ text, source }) => (room -= text.length + source.length) >= 0)
  return fitting.length === 0 ? [] : [{ kind: 'rule', head: undefined, title: '', lines: fitting, prior: 0 }]
}

/** In a larger record, older decisions that do not match the question are listed by title only. */
const READ = { asked: 400, unasked: 25 }
/** Number of decisions that the record ranks for a question. */
const RANKED = 64
const BY_VERDICT: Readonly<Record<Verdict, number>> = { strong: 0.4, related: 0.2, weak: 0.05, none: 0 }

async function fromRecord(
  ctx: Given<'record'>,
  { question, until }: BriefAsked,
  store: Store,
): Promise<readonly BriefSource[]> {
  if (question !== undefined)
    return recordSources(store, { full: READ.asked, touched: await touchedBy(store, question) })
  if (until !== undefined) return recordSources(store, { full: READ.unasked })
  const changed = await ctx
    .repository()
    .then((repository) => repository?.diff(undefined))
    .catch(() => undefined)
  const paths = (changed ?? []).map(({ path }) => path)
  return recordSources(store, {
    full: READ.unasked,
    governed: ({ files_affected: patterns }) =>
      paths.filter((path) => patterns.some((pattern) => governs(pattern, path))),
  })
}

/**
 * The decisions that check_decision finds for the question, including those just below the line, followed by the
 * record's ranking.
 */
async function touchedBy(store: Store, question: string): Promise<ReadonlyMap<string, TouchedDecision>> {
  const found = await check(store, { proposed_approach: question })
  const ranking = await store.rank({ text: question, limit: RANKED, among: 'active', check: true })
  const touched = new Map<string, TouchedDecision>(
    ranking.hits.map((hit) => [hit.entry.stem, { bonus: BY_VERDICT[hit.verdict], isRelated: false }]),
  )
  const { decisions } = await store.catalogue()
  const stems = new Map(decisions.map(({ num, stem }) => [num, stem]))
  const named = [
    ...found.nearest.map(({ id }) => ({ id, verdict: 'weak' as const, brings_back: undefined })),
    ...found.returns_to,
    ...found.related_decisions,
  ]
  for (const { id, verdict, brings_back: back } of named) {
    const stem = stems.get(decisionNumber(id) ?? 0)
    const bonus = Math.max(BY_VERDICT[verdict], touched.get(stem ?? '')?.bonus ?? 0)
    if (stem !== undefined) touched.set(stem, { bonus, isRelated: true, back: back?.alternative })
  }
  return touched
}

/** Documents to read, and how much of each: a session may be as long as a book. */
const MOST_DOCUMENTS = 40
const MOST_LINES = 4_000
const MOST_TEXT = 400_000
const LONGEST_TITLE = 60
const SEARCHED = ['note', 'session', 'document', 'context'] as const

async function fromMemory(
  ctx: Given<'memory' | 'record'>,
  { question, project: named, until }: BriefAsked,
  project: ContextProject | undefined,
): Promise<readonly BriefSource[]> {
  const within = await withinOf(ctx, named)
  const memory = await ctx.memory()
  if (question === undefined) return until === undefined ? latestMemories(memory, { within, cwd: ctx.cwd }) : []
  const { hits } = await memory.search({
    text: question,
    by: 'both',
    limit: MOST_DOCUMENTS,
    scope: { within, origins: SEARCHED, until },
  })
  const trustOf = documentTrust(ctx)
  const tables = project === undefined ? '' : `${project.root}/databases/`
  const sources = hits
    // Tables are linked to the question separately, including by their joins.
    .filter(({ path }) => tables === '' || !path.startsWith(tables))
    .map(async (hit) => documentSource(hit, await trustOf(hit), await textOf(ctx, hit, within)))
  return (await Promise.all(sources)).toSorted(newestFirst).map(({ source }) => source)
}

interface Dated {
  readonly source: BriefSource
  readonly modified: number
  readonly id: string
}

const newestFirst = (a: Dated, b: Dated): number => b.modified - a.modified || (a.id < b.id ? -1 : 1)

interface ReadText {
  readonly text: string
  /** Number of lines before the text in its document. */
  readonly before: number
}

/** The part of the document to read, around the hit. */
async function textOf(ctx: Given<'memory'>, hit: MemoryHit, within: SearchScope['within']): Promise<ReadText> {
  const isNote = hit.origin === 'note'
  const from = Math.max(1, hit.startLine - MOST_LINES / 2)
  const found = await (await ctx.memory()).read(hit.id, { within, ...(isNote ? {} : { from, lines: MOST_LINES }) })
  return { text: (found?.text ?? '').slice(0, MOST_TEXT), before: (found?.startLine ?? 1) - 1 }
}

function documentSource(hit: MemoryHit, trust: AnswerTrust, { text, before }: ReadText): Dated {
  const { id, origin, superseded } = hit
  const kind = origin === 'session' ? 'session' : origin === 'note' ? 'note' : 'document'
  const passages = passagesOf(text, kind === 'session' ? 'session' : 'document').filter(
    ({ text: own }) => !isOwner(own),
  )
  const standing =
    superseded === undefined
      ? ''
      : `no longer holds (${superseded.as}${superseded.by === undefined ? '' : ` by ${visibleLine(superseded.by)}`}): `
  const day = hit.modified.toISOString().slice(0, 10)
  const title = ellipsis(visibleLine(hit.title), LONGEST_TITLE)
  const isNote = kind === 'note'
  const lines = linesFor(passages, { id, trust, before, standing: isNote ? standing : '' })
  const head = isNote ? undefined : { source: id, trust, text: `${standing}${day} ${title}`, isFact: false }
  return { source: { kind, head, title, lines, prior: 0 }, modified: hit.modified.getTime(), id }
}

/** True for the owner line of a note, which the answer shows elsewhere. */
const isOwner = (text: string): boolean => readOwnerLine(text) !== undefined

const SPEAKER = { user: '›', assistant: '‹' } as const

const known = new WeakMap<readonly Passage[], { readonly key: string; readonly lines: BriefSource['lines'] }>()

/** Returns the same list for the same passages, so that results derived from it stay cached for the next question. */
function linesFor(
  passages: readonly Passage[],
  { id, trust, before, standing }: { id: string; trust: AnswerTrust; before: number; standing: string },
): BriefSource['lines'] {
  const key = [id, trust, before, standing].join('\n')
  const found = known.get(passages)
  if (found?.key === key) return found.lines
  const lines = passages.map(({ text, from, to, by }) => {
    const place = from === to ? `${from + before}` : `${from + before}-${to + before}`
    return {
      text: `${standing}${text}`,
      source: `${id}:${place}`,
      at: `:${place}${by === undefined ? '' : SPEAKER[by]}`,
      trust,
      prior: 0,
    }
  })
  known.set(passages, { key, lines })
  return lines
}

const MOST_TABLES = 12
const TOKENS_OF_A_TABLE = 250

async function fromTables(
  ctx: Given<'record'>,
  { question, budget }: BriefAsked,
  project: ContextProject,
): Promise<readonly BriefSource[]> {
  if (question === undefined) return tableNames(project)
  const most = Math.max(2, Math.min(MOST_TABLES, Math.ceil(budget / TOKENS_OF_A_TABLE)))
  const linked = await linkSchema(project, { question, most }, await ctx.bundledEmbedder())
  const { text } = await project.redact(await linked.pack(most * TOKENS_OF_A_TABLE))
  return text
    .split(/\n\n(?=## |Joins )/)
    .filter((block) => block !== '')
    .map((block) => {
      const [first = '', ...rest] = block.split('\n')
      const name = visibleLine(first.replace(/^## /, ''))
      const head = { source: name, trust: 'compiled' as const, text: '', isFact: false }
      const lines = rest.map((line) => ({
        text: visibleLine(line.replace(/^- /, '')),
        source: name,
        at: '',
        trust: 'compiled' as const,
        prior: 0,
      }))
      return { kind: 'table' as const, head, title: name, lines, prior: 0, bonus: LINKED }
    })
}

/** Bonus for a linked table: the schema linker uses more evidence than words. */
const LINKED = 0.3

async function tableNames(project: ContextProject): Promise<readonly BriefSource[]> {
  const tables = await compiledTables(project)
  const lines = await Promise.all(
    tables.slice(0, 200).map(async ({ table, path }, at) => {
      const about = table.comment === undefined ? '' : `: ${(await project.redact(table.comment)).text}`
      const rows = table.rows === undefined ? '' : `${table.rows.toLocaleString('en-US')} rows, `
      const name = `${table.connection} ${table.schema}.${table.name}`
      return {
        text: visibleLine(ellipsis(`${name}, ${rows}${table.columns.length} columns${about}`, 200)),
        source: `${path}/columns.md`,
        at: '',
        trust: 'compiled' as const,
        prior: Math.max(0.2, 0.6 - 0.01 * at),
      }
    }),
  )
  return lines.length === 0 ? [] : [{ kind: 'table', head: undefined, title: '', lines, prior: 0 }]
}
