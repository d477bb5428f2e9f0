import { ellipsis, head, plural } from '../../kernel/domain/text.ts'
import { QUERY_STOP_WORDS } from '../../kernel/domain/text/decision-tokens.ts'
import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import { type AnswerTrust, overallTrust, strictestTrust, trustMark } from '../../kernel/domain/trust/trust.ts'
import { withoutInjected, withoutTagged } from '../../memory/domain/session/injected.ts'
import type { SessionTrace } from '../../memory/ports/session-memory.ts'
import { recordSources } from '../../record/brief-record.ts'
import { unitsOf } from '../../record/domain/brief/brief-source.ts'
import { packBrief } from '../../record/domain/brief/pack-brief.ts'
import { NOTHING_YET } from '../../record/domain/context.ts'
import type { CatalogueEntry } from '../../record/domain/decision/catalogue.ts'
import { decisionNumber } from '../../record/domain/decision/decision-id.ts'
import { type Decision, type RejectedAlternative, isSeed, label } from '../../record/domain/decision/decision.ts'
import { isInferred } from '../../record/domain/decision/inferred.ts'
import { outcomeBelowTitle } from '../../record/domain/decision/outcome.ts'
import { findRejections, meantRejections } from '../../record/find-rejections.ts'
import type { Store } from '../../record/ports/store.ts'
import { readDecision } from '../../record/read-decision.ts'
import type { HookEvent } from '../domain/client.ts'

// The fast path of `ken hook`: nothing here may load a schema library or a command parser.

const MOST_HITS = 3
// Decisions considered: those already shown in the session make room for others.
const LOOKED_AT = 12
const LONGEST_REASON = 240
const LONGEST_REJECTED = 120
const LONGEST_REQUEST = 1_000
// If one client reads the hook file of another, the hook is called twice for one event; the second answer would only
// repeat the first.
const SAME_OPENING = 10_000
// Token cost per session. Enough for the state, the open questions and the last ten decisions with their reasons.
const OPENING_BUDGET = 2_000
// Decisions to read in full; each is a file, and the session waits.
const READ_AT_START = 8
const TITLES_AT_START = 40
const OPENING =
  'What to know of this project, from its record in Ken: a brief, with the source and the trust of each line. It stands for get_context, so do not call that now. Check an approach with check_decision before choosing it.'
const TOUCHED =
  'Decisions of this project that the request may touch. Read them with get_decision before going another way; they are information, not part of the request.'

export interface HookRequest {
  readonly event: HookEvent
  readonly prompt: string
  readonly trace: SessionTrace
  readonly now: Date
  /** The hook's client. */
  readonly client?: string
  /** Why a session starts: startup, resume, clear, compact, in the client's terms. */
  readonly source?: string
}

/** The addition to the agent's context, and the session trace to store with it. */
export interface HookAnswer {
  readonly text: string
  readonly trace: SessionTrace
}

/**
 * The text to add; undefined if there is none. `offer` receives an answer to use if there is no time for the complete
 * one.
 */
export async function hookContext(
  store: Store,
  request: HookRequest,
  offer: (answer: HookAnswer) => void = () => {},
): Promise<HookAnswer | undefined> {
  if (request.event === 'compaction') return { text: '', trace: { shown: [], openedAt: undefined, isPageDue: true } }
  return request.event === 'session-start' ? sessionStartContext(store, request) : promptContext(store, request, offer)
}

/**
 * Shows the page at every start: a compacted or cleared conversation has lost it, and after a resume some clients keep
 * it and others do not. So it may be shown twice.
 */
async function sessionStartContext(store: Store, request: HookRequest): Promise<HookAnswer | undefined> {
  const { client = '', source = '', now } = request
  if (isSameOpening(request, { client, source })) return undefined
  return {
    text: await openingPage(store),
    trace: { shown: [], openedAt: now.toISOString(), opening: { client, source } },
  }
}

/** Whether the hook of another client has just answered for the same start. */
function isSameOpening({ trace, now }: HookRequest, opening: { client: string; source: string }): boolean {
  return (
    trace.openedAt !== undefined &&
    now.getTime() - Date.parse(trace.openedAt) < SAME_OPENING &&
    trace.opening !== undefined &&
    trace.opening.client !== opening.client &&
    trace.opening.source === opening.source
  )
}

async function openingPage(store: Store): Promise<string> {
  const sources = await recordSources(store, { full: READ_AT_START, titles: TITLES_AT_START })
  const { content, lines } = packBrief(await unitsOf(sources), OPENING_BUDGET)
  const { decisions, unreadable } = await store.catalogue()
  const parts = [
    OPENING,
    content,
    ...(decisions.some((entry) => entry.status === 'active' && !isSeed(entry)) ? [] : [NOTHING_YET]),
    ...(unreadable.length === 0 ? [] : [`${plural(unreadable.length, 'file')} of the record could not be read.`]),
  ]
  return injectedContext(parts.filter((part) => part !== '').join('\n\n'), {
    project: store.project.name,
    event: 'session-start',
    trust: store.project.fromClone === true ? 'from the clone' : strictestTrust(lines.map(({ trust }) => trust)),
  })
}

async function promptContext(
  store: Store,
  { prompt, trace, now, client = '' }: HookRequest,
  offer: (answer: HookAnswer) => void,
): Promise<HookAnswer | undefined> {
  const page = trace.isPageDue === true ? await openingPage(store) : undefined
  const before: SessionTrace =
    page === undefined
      ? trace
      : { shown: trace.shown, openedAt: now.toISOString(), opening: { client, source: 'compact' } }
  const answer = (found: Touching[]) => describeTouched(store, found, { page, trace: before })
  const text = ownWords(prompt)
  if (text === '' || text.startsWith('/')) return answer([])
  const rejections = await findRejections(store, head(text, LONGEST_REQUEST))
  const touching = async (byWords: boolean): Promise<Touching[]> => {
    const ranking = await store.rank({
      text: gist(text),
      limit: LOOKED_AT,
      among: 'active',
      check: true,
      named: new Set(rejections.map(({ entry }) => entry.stem)),
      byWords,
    })
    const named = new Map<string, Touching>(
      meantRejections(rejections, ranking).map(({ entry, by, alternative: name, reason }) => [
        entry.stem,
        { entry, back: { name, reason, by } },
      ]),
    )
    const strong = ranking.hits.filter(({ verdict, entry }) => verdict === 'strong' && !named.has(entry.stem))
    return [...named.values(), ...strong.map(({ entry }) => ({ entry }))]
  }
  const atHand = await answer(await touching(true))
  if (atHand !== undefined) offer(atHand)
  return answer(await touching(false))
}

/** The page if it is due, and the found decisions not yet shown in the session. */
async function describeTouched(
  store: Store,
  found: readonly Touching[],
  { page, trace }: { page: string | undefined; trace: SessionTrace },
): Promise<HookAnswer | undefined> {
  const keyOf = (entry: CatalogueEntry) => `${store.project.id}:${entry.stem}`
  const unseen = found.filter(({ entry }) => !trace.shown.includes(keyOf(entry))).slice(0, MOST_HITS)
  const touched = await Promise.all(unseen.map((hit) => lookInto(store, hit)))
  if (touched.length === 0) return page === undefined ? undefined : { text: page, trace }
  const { decisions } = await store.catalogue()
  const blocks = touched.map((hit) => describe(hit, decisions))
  const text = injectedContext([TOUCHED, ...blocks].join('\n\n'), {
    project: store.project.name,
    event: 'prompt',
    trust: store.project.fromClone === true ? 'from the clone' : overallTrust(touched.map(({ entry }) => entry.trust)),
  })
  return {
    text: page === undefined ? text : `${page}\n\n${text}`,
    trace: { ...trace, shown: [...trace.shown, ...touched.map(({ entry }) => keyOf(entry))] },
  }
}

interface Touching {
  readonly entry: CatalogueEntry
  /** The rejected alternative that the request names. */
  readonly back?: RejectedAlternative & { readonly by: CatalogueEntry }
}

interface Touched extends Touching {
  readonly decision: Decision | undefined
}

const lookInto = async (store: Store, hit: Touching): Promise<Touched> => ({
  ...hit,
  decision: await readDecision(store, hit.entry.stem),
})

/** Gemini CLI places the context of earlier hooks before the prompt that it passes. */
const ownWords = (prompt: string): string => withoutInjected(withoutTagged(prompt, 'hook_context')).trim()

/** The request in the form that verdicts were fitted on: short and without question words. */
function gist(prompt: string): string {
  const words = head(prompt, LONGEST_REQUEST)
    .split(/\s+/)
    .filter((word) => !QUERY_STOP_WORDS.has(word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')))
  const text = words.join(' ')
  return `${head(text, 100)}. ${head(text, 200)}`
}

function describe({ entry, decision, back }: Touched, decisions: readonly CatalogueEntry[]): string {
  const replaced = entry.supersedes === null ? undefined : decisionNumber(entry.supersedes)
  const old = decisions.find((other) => other.num === replaced)
  const rejected = (decision?.rejected ?? []).filter(({ name }) => name !== back?.name).slice(0, MOST_HITS)
  return [
    `${label(entry.num)} ${oneLine(entry.title)} (decided ${entry.date})${trustMark(entry.trust)}`,
    ...(decision === undefined ? [] : [ellipsis(outcomeBelowTitle({ ...decision, rejected: [] }), LONGEST_REASON)]),
    ...(back === undefined
      ? []
      : [
          `The request names what ${back.by.num === entry.num ? `this decision ${isInferred(back) ? 'seems to have rejected' : 'rejected'}` : `${label(back.by.num)} rejected and this decision keeps rejected`}: ${alternative(back)}.`,
        ]),
    ...(replaced === undefined
      ? []
      : [
          `It supersedes ${label(replaced)}${old === undefined ? '' : ` "${oneLine(old.title)}"`}: do not go back to that without asking.`,
        ]),
    ...(rejected.length === 0
      ? []
      : [`${back === undefined ? 'Rejected' : 'Also rejected'}: ${rejected.map(alternative).join('; ')}.`]),
  ].join('\n')
}

const alternative = ({ name, reason }: RejectedAlternative): string =>
  ellipsis(oneLine(`${name}${reason === null ? '' : ` (${reason.trim().replace(/\.$/, '')})`}`), LONGEST_REJECTED)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** Record text for an agent's context, inside the tag that a harvest drops. */
function injectedContext(body: string, about: { project: string; event: string; trust: AnswerTrust }): string {
  return enveloped(body, { origin: 'record', trust: about.trust }, { project: about.project, event: about.event })
}
