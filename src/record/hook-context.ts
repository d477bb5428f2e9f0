import type { Client, HookEvent } from '../core/client/client.ts'
import { CLIENTS, type ClientName } from '../core/client/clients.ts'
import type { CatalogueEntry } from '../core/decision/catalogue.ts'
import { decisionNumber } from '../core/decision/decision-id.ts'
import { type Decision, type RejectedAlternative, label } from '../core/decision/decision.ts'
import { withoutInjected, withoutTagged } from '../core/session/injected.ts'
import { ellipsis, head } from '../core/text.ts'
import { QUERY_STOP_WORDS } from '../core/text/decision-tokens.ts'
import { enveloped } from '../core/trust/envelope.ts'
import { type AnswerTrust, overallTrust, trustMark } from '../core/trust/trust.ts'
import type { SessionTrace } from '../ports/session-memory.ts'
import type { Store } from '../ports/store.ts'
import { findRejections } from './find-rejections.ts'
import { readContext } from './read-context.ts'
import { readDecision } from './read-decision.ts'

// The fast path of `ken hook`: nothing here may load a schema library or a command parser.

const MOST_HITS = 3
// Those that a session was shown before give way to others.
const LOOKED_AT = 12
const LONGEST_REASON = 240
const LONGEST_REJECTED = 120
const LONGEST_REQUEST = 1_000
// A client that reads another one's hook file asks twice for one session; the second answer would only repeat the
// first.
const SAME_OPENING = 10_000
const OPENING =
  'Where the project stands, from its record in Ken. Check an approach with check_decision before choosing it.'
const TOUCHED =
  'Decisions of this project that the request may touch. Read them with get_decision before going another way; they are information, not part of the request.'

export interface HookRequest {
  readonly event: HookEvent
  readonly prompt: string
  readonly trace: SessionTrace
  readonly now: Date
}

/** What to add to the agent's context, and what is to be remembered of it; undefined: nothing. */
export async function hookContext(
  store: Store,
  request: HookRequest,
): Promise<{ text: string; trace: SessionTrace } | undefined> {
  return request.event === 'session-start' ? sessionStartContext(store, request) : promptContext(store, request)
}

async function sessionStartContext(
  store: Store,
  { trace, now }: HookRequest,
): Promise<{ text: string; trace: SessionTrace } | undefined> {
  if (trace.openedAt !== undefined && now.getTime() - Date.parse(trace.openedAt) < SAME_OPENING) return undefined
  const { text: page, trust } = await readContext(store, 'L0')
  return {
    text: injectedContext(`${OPENING}\n\n${page}`, { project: store.project.name, event: 'session-start', trust }),
    trace: { ...trace, openedAt: now.toISOString() },
  }
}

async function promptContext(
  store: Store,
  { prompt, trace }: HookRequest,
): Promise<{ text: string; trace: SessionTrace } | undefined> {
  const text = ownWords(prompt)
  if (text === '' || text.startsWith('/')) return undefined
  const keyOf = (entry: CatalogueEntry) => `${store.project.id}:${entry.stem}`
  const rejections = await findRejections(store, head(text, LONGEST_REQUEST))
  const { hits } = await store.rank({ text: gist(text), limit: LOOKED_AT, among: 'active', check: true })
  const found = new Map<string, Touching>(
    rejections.map(({ entry, alternative }) => [entry.stem, { entry, named: alternative }] as const),
  )
  for (const { entry, verdict } of hits)
    if (verdict === 'strong' && !found.has(entry.stem)) found.set(entry.stem, { entry })
  const unseen = [...found.values()].filter(({ entry }) => !trace.shown.includes(keyOf(entry))).slice(0, MOST_HITS)
  const strong = await Promise.all(unseen.map((hit) => lookInto(store, hit)))
  if (strong.length === 0) return undefined
  const { decisions } = await store.catalogue()
  const blocks = strong.map((hit) => describe(hit, decisions))
  return {
    text: injectedContext([TOUCHED, ...blocks].join('\n\n'), {
      project: store.project.name,
      event: 'prompt',
      trust: store.project.fromClone === true ? 'from the clone' : overallTrust(strong.map(({ entry }) => entry.trust)),
    }),
    trace: { ...trace, shown: [...trace.shown, ...strong.map((hit) => keyOf(hit.entry))] },
  }
}

interface Touching {
  readonly entry: CatalogueEntry
  /** The alternative that the request names although it was turned down. */
  readonly named?: string
}

interface Touched {
  readonly entry: CatalogueEntry
  readonly decision: Decision | undefined
  readonly back: RejectedAlternative | undefined
}

async function lookInto(store: Store, { entry, named }: Touching): Promise<Touched> {
  const decision = await readDecision(store, entry.stem)
  return { entry, decision, back: decision?.rejected.find(({ name }) => name === named) }
}

/** Gemini CLI hands the prompt over with the context of earlier hooks before it. */
const ownWords = (prompt: string): string => withoutInjected(withoutTagged(prompt, 'hook_context')).trim()

/** The request in the form that verdicts were fitted on, short and without the words people only ask with. */
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
  const rejected = (decision?.rejected ?? []).filter((r) => r !== back).slice(0, MOST_HITS)
  return [
    `${label(entry.num)} ${oneLine(entry.title)} (decided ${entry.date})${trustMark(entry.trust)}`,
    ...(decision === undefined ? [] : [ellipsis(oneLine(decision.rationale.split(/\n\s*\n/)[0]!), LONGEST_REASON)]),
    ...(back === undefined ? [] : [`The request names what this decision turned down: ${alternative(back)}.`]),
    ...(replaced === undefined
      ? []
      : [
          `It supersedes ${label(replaced)}${old === undefined ? '' : ` "${oneLine(old.title)}"`}: do not go back to that without asking.`,
        ]),
    ...(rejected.length === 0
      ? []
      : [`${back === undefined ? 'Turned' : 'Also turned'} down: ${rejected.map(alternative).join('; ')}.`]),
  ].join('\n')
}

const alternative = ({ name, reason }: RejectedAlternative): string =>
  ellipsis(oneLine(`${name}${reason === null ? '' : ` (${reason.trim().replace(/\.$/, '')})`}`), LONGEST_REJECTED)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** The answer in the shape that the client takes it in; a client that Ken does not know gets none. */
export function hookOutput(
  context: string,
  shape: { client: string; eventName: string; input: Readonly<Record<string, unknown>> },
): string {
  const client = CLIENTS[shape.client as ClientName] as Client | undefined
  return client?.hookOutput(context, shape.eventName, shape.input) ?? ''
}

/** What Ken itself says of a record, inside the tag that a harvest drops again. */
export const noticeContext = (notice: string, state: 'disconnected' | 'merged'): string =>
  enveloped(`Ken: ${notice}`, { origin: 'record', trust: 'approved' }, { event: 'session-start', state })

/** Text of a record for an agent's context, inside the tag that a harvest drops again. */
function injectedContext(body: string, about: { project: string; event: string; trust: AnswerTrust }): string {
  return enveloped(body, { origin: 'record', trust: about.trust }, { project: about.project, event: about.event })
}
