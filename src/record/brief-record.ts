import { ellipsis } from '../kernel/domain/text.ts'
import type { DecisionTrust } from '../kernel/domain/trust/trust.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import type { BriefSource, BriefSourceLine } from './domain/brief/brief-source.ts'
import { passagesOf, type Passage } from './domain/brief/split-passages.ts'
import type { CatalogueEntry } from './domain/decision/catalogue.ts'
import { byNumber } from './domain/decision/catalogue.ts'
import { decisionNumber } from './domain/decision/decision-id.ts'
import { type Decision, isSeed, label } from './domain/decision/decision.ts'
import { outcomeBelowTitle } from './domain/decision/outcome.ts'
import { PROJECT, QUESTIONS, STACK, STATE, STATE_LEGACY } from './domain/files.ts'
import { openQuestions } from './domain/question.ts'
import { keptRejections, type StandingRejection } from './domain/standing-rejections.ts'
import { STARTED } from './domain/state.ts'
import { rejectedThrough } from './find-rejections.ts'
import type { Store } from './ports/store.ts'
import { readDecisions, trustOf } from './read-decision.ts'

// A part of the fast path of `ken hook`: nothing here may load a schema library.

export interface RecordAsked {
  /** Number of decisions read in full; the others appear by title. */
  readonly full: number
  /** Number of newest decisions listed if there is no question; all if undefined. */
  readonly titles?: number
  /** How a question relates to a decision, apart from its words, by stem. */
  readonly touched?: ReadonlyMap<string, TouchedDecision>
  /** The files that are being worked on and that a decision governs. */
  readonly governed?: (entry: CatalogueEntry) => readonly string[]
}

export interface TouchedDecision {
  readonly bonus: number
  /** True if the record's ranking shows the decision as related. */
  readonly isRelated: boolean
  /** The alternative the question reintroduces. */
  readonly back?: string | undefined
}

const LONGEST_QUESTION = 480
/** Base weight of lines, independent of the agent; lines of one kind are ordered by position. */
const PRIOR = { state: 1.3, question: 1.25, decision: 1.15, why: 0.95, rejected: 0.95, project: 1.05, stack: 0.75 }
const STEP = 0.03
const LEAST = 0.2
/** Bonus of a decision that governs files being changed, or that others and the state refer to. */
const GOVERNS = 0.3
const REFERRED = 0.05
const MOST_REFERRED = 0.2

/** Sources from a record: project, state, open questions, decisions with their rejected alternatives, stack. */
export async function recordSources(store: Store, asked: RecordAsked): Promise<BriefSource[]> {
  const text = async (path: string) => (await store.read(path)) ?? ''
  const [project, current, questions, stack, { decisions }] = await Promise.all([
    text(PROJECT),
    text(STATE),
    text(QUESTIONS),
    text(STACK),
    store.catalogue(),
  ])
  const state = current === '' ? await text(STATE_LEGACY) : current
  const trust: DecisionTrust = store.project.fromClone === true ? 'from the clone' : 'approved'
  return [
    fileSource('state', { path: PROJECT, text: project, prior: PRIOR.project, trust }),
    fileSource('state', { path: current === '' ? STATE_LEGACY : STATE, text: state, prior: PRIOR.state, trust }),
    questionSource(questions, trust),
    ...(await decisionSources(store, decisions, { ...asked, texts: `${state}\n${questions}` })),
    fileSource('stack', { path: STACK, text: stack, prior: PRIOR.stack, trust }),
  ].filter(({ lines, head }) => lines.length > 0 || head?.isFact === true)
}

/** A record file split into lines, under its name. */
function fileSource(
  kind: 'state' | 'stack',
  file: { path: string; text: string; prior: number; trust: DecisionTrust },
): BriefSource {
  const { path, text, trust } = file
  const lines = passagesOf(text, 'document').filter(({ text: own }) => own !== STARTED.slice(2) && !UPDATED.test(own))
  return {
    kind,
    head: { source: path, trust, text: '', isFact: false },
    title: '',
    lines: lines.map((passage, at) => ({
      text: withHeading(passage, firstHeading(text)),
      source: `${path}:${linesOf(passage)}`,
      at: `:${linesOf(passage)}`,
      trust,
      prior: stepped(file.prior, at),
    })),
    prior: 0,
  }
}

const UPDATED = /^\*Last updated: .*\*$/
const firstHeading = (text: string): string => visibleLine(/^# (.*)$/m.exec(text)?.[1] ?? '')

/** Prefixes the heading: a line has a different meaning below "Next steps" than below "Done". */
const withHeading = ({ text, heading }: Passage, title: string): string =>
  heading === '' || heading === title ? text : `${heading}: ${text}`

const linesOf = ({ from, to }: Passage): string => (from === to ? `${from}` : `${from}-${to}`)
const stepped = (prior: number, at: number): number => Math.max(LEAST, prior - STEP * at)

function questionSource(text: string, trust: DecisionTrust): BriefSource {
  const lines = openQuestions(text).map(({ id, body }, at) => ({
    text: ellipsis(visibleLine(body.slice(0, 4 * LONGEST_QUESTION)), LONGEST_QUESTION),
    source: id,
    at: '',
    trust,
    prior: stepped(PRIOR.question, at),
  }))
  return { kind: 'question', head: undefined, title: '', lines, prior: 0 }
}

interface DecisionsAsked extends RecordAsked {
  /** Texts that refer to decisions. */
  readonly texts: string
}

/** Newest first. A superseded decision is included, marked as superseded, only if a question returns to it. */
async function decisionSources(
  store: Store,
  all: readonly CatalogueEntry[],
  { full, titles, touched, governed = () => [], texts }: DecisionsAsked,
): Promise<BriefSource[]> {
  const isWanted = (entry: CatalogueEntry) => entry.status === 'active' || touched?.has(entry.stem) === true
  const entries = all
    .filter((entry) => isWanted(entry) && !isSeed(entry))
    .toSorted((a, b) => byNumber(b, a))
    .slice(0, titles)
  const active = entries.filter(({ status }) => status === 'active')
  const replaced = new Set(all.map(({ superseded_by: by }) => Number(by ?? Number.NaN)))
  const isFirst = (entry: CatalogueEntry, at: number) =>
    at < full || touched?.has(entry.stem) === true || governed(entry).length > 0
  const read = await readDecisions(store, active.filter(isFirst))
  const kept = new Map(
    await Promise.all(
      active
        .filter((entry) => read.has(entry.stem) && (entry.supersedes !== null || replaced.has(entry.num)))
        .map(async (entry) => [entry.stem, keptRejections(await rejectedThrough(store, entry))] as const),
    ),
  )
  const referred = references([texts, ...[...read.values()].map(({ rationale }) => rationale)])
  return entries.map((entry) => {
    const trust = trustOf(store, entry)
    const source = label(entry.num)
    if (entry.status !== 'active') return supersededSource(entry, trust)
    const files = governed(entry)
    const extra = (files.length > 0 ? GOVERNS : 0) + Math.min(MOST_REFERRED, REFERRED * (referred.get(entry.num) ?? 0))
    const at = active.indexOf(entry)
    const title = `${visibleLine(entry.title)} (${entry.date})`
    return {
      kind: 'decision',
      head: { source, trust, text: title, isFact: true },
      title,
      prior: stepped(PRIOR.decision, at) + extra,
      bonus: touched?.get(entry.stem)?.bonus ?? 0,
      isRelated: touched?.get(entry.stem)?.isRelated ?? false,
      lines: decisionLines(entry, withKept(read.get(entry.stem), kept.get(entry.stem) ?? []), {
        all,
        files,
        back: touched?.get(entry.stem)?.back,
        isAsked: touched !== undefined,
      }).map(({ prior, ...line }) => ({ ...line, source, at: '', trust, prior: stepped(prior, at) + extra })),
    }
  })
}

/** Adds the rejections kept from a superseded decision, which are just as binding. */
const withKept = (decision: Decision | undefined, kept: readonly StandingRejection[]): Decision | undefined =>
  decision && {
    ...decision,
    rejected: [...decision.rejected, ...kept.map(({ alternative, reason }) => ({ name: alternative, reason }))],
  }

function supersededSource(entry: CatalogueEntry, trust: DecisionTrust): BriefSource {
  const by = decisionNumber(entry.superseded_by ?? '')
  const standing = by === undefined ? 'superseded' : `superseded by ${label(by)}`
  const text = `${standing}, no longer holds: ${visibleLine(entry.title)} (${entry.date})`
  return {
    kind: 'decision',
    head: { source: label(entry.num), trust, text, isFact: true },
    title: text,
    lines: [],
    prior: 0,
    isRelated: true,
    isSuperseded: true,
  }
}

type DecisionLine = Pick<BriefSourceLine, 'text' | 'prior' | 'bonus' | 'isOutcome'>

interface LinesAsked {
  readonly all: readonly CatalogueEntry[]
  readonly files: readonly string[]
  readonly back: string | undefined
  readonly isAsked: boolean
}

/** Lines of a decision: the outcome first; further passages of the rationale are below its heading. */
function decisionLines(
  entry: CatalogueEntry,
  decision: Decision | undefined,
  { all, files, back, isAsked }: LinesAsked,
): DecisionLine[] {
  const replaced = entry.supersedes === null ? undefined : decisionNumber(entry.supersedes)
  const old = all.find(({ num }) => num === replaced)
  const { outcome, rest } = decision === undefined ? { outcome: '', rest: [] } : outcomeAndRest(decision, isAsked)
  return [
    ...(outcome === '' ? [] : [{ text: outcome, prior: PRIOR.why, isOutcome: isAsked }]),
    ...(files.length === 0 ? [] : [{ text: `governs ${listed(files)}, changed now`, prior: PRIOR.why }]),
    ...(old === undefined
      ? []
      : [{ text: `replaces ${label(old.num)} "${visibleLine(old.title)}"`, prior: PRIOR.rejected }]),
    ...rest.map((text, at) => ({ text, prior: stepped(PRIOR.why, 4 * (at + 1)) })),
    ...(decision?.rejected ?? []).map(({ name, reason }, at) => ({
      text: `rejected: ${visibleLine(name)}${reason === null ? '' : `: ${ellipsis(visibleLine(reason), LONGEST_QUESTION)}`}`,
      prior: stepped(PRIOR.rejected, at),
      ...(name === back && { bonus: BROUGHT_BACK }),
    })),
  ]
}

/**
 * The outcome line, and the passages of the rationale without it. For a question, the line includes the names of
 * rejected alternatives, because it may be the only line of a decision.
 */
function outcomeAndRest(decision: Decision, hasNames: boolean): { outcome: string; rest: readonly string[] } {
  const sentence = withoutLinks(outcomeBelowTitle({ ...decision, rejected: [] }))
  const names = hasNames ? withoutLinks(outcomeBelowTitle(decision)).slice(sentence.length) : ''
  const passages = passagesOf(decision.rationale, 'document').map((passage) => ({
    ...passage,
    text: withoutLinks(passage.text),
  }))
  // The passage that begins with the outcome has the truncated rest and the reason.
  const beginning = bare(sentence)
  const whole = passages.find(({ text }) => beginning !== '' && bare(text).startsWith(beginning))
  const isCut = whole === undefined || /\bbecause\W*$/.test(whole.text)
  const rest = passages
    .filter((passage) => passage !== whole)
    .map((passage) => ({ ...passage, text: passage.text.replace(sentence, '').trim() }))
    .filter(({ text }) => !SAYS_NOTHING_ALONE.test(text))
  return {
    outcome: `${isCut ? sentence : whole.text}${names}`,
    rest: rest.map(({ text, heading }) =>
      heading === '' ? text : `${ellipsis(heading.replace(/\s*:$/, ''), LONGEST_HEADING)}: ${text}`,
    ),
  }
}

const LONGEST_HEADING = 80
const withoutLinks = (text: string): string => text.replaceAll(/!?\[([^\]]*)\]\([^)\s]*\)/g, '$1')
/** Letters and digits only, for comparison: an outcome has no markup, quotation marks or label. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/^\W*(?:chosen|selected|preferred|agreed) \w+\W+|^\W*(?:decision|outcome|resolution|conclusion)\W+/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
/** The lead-in of a list, a table row, or a few words. */
const SAYS_NOTHING_ALONE = /:\**$|^\||^\W*(?:[\p{L}\p{N}]+\W*){0,4}$/u

/** The brief must show a rejection whose alternative the question names. */
const BROUGHT_BACK = 1
const MOST_FILES = 3
const listed = (files: readonly string[]): string =>
  [
    ...files.slice(0, MOST_FILES).map(visibleLine),
    ...(files.length > MOST_FILES ? [`${files.length - MOST_FILES} more`] : []),
  ].join(', ')

/** References to decisions, counted by number. */
function references(texts: readonly string[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const text of texts)
    for (const [, digits] of text.matchAll(/\bD0*([1-9]\d{0,5})\b/g))
      counts.set(Number(digits), (counts.get(Number(digits)) ?? 0) + 1)
  return counts
}
