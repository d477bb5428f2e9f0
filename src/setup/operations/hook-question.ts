import { isSameMatter } from '../../analyst/domain/feedback/same-matter.ts'
import { redactSecrets } from '../../kernel/domain/secrets/redact.ts'
import { head } from '../../kernel/domain/text.ts'
import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import { type Candidate, findCandidates } from '../../memory/domain/session/candidates.ts'
import { withoutInjected, withoutTagged } from '../../memory/domain/session/injected.ts'
import type { SessionTrace, TracedMessage } from '../../memory/ports/session-memory.ts'
import type { Store } from '../../record/ports/store.ts'
import type { HookEvent } from '../domain/client.ts'

// The fast path of `ken hook`: nothing here may load a schema library or a command parser.

/** Messages to keep: an offer may be two exchanges before the reply to it. */
const MOST_MESSAGES = 6
const LONGEST_MESSAGE = 6_000

/** The trace with one more message. It contains only text from the user and the agent, never tool results. */
export function traceMessage(trace: SessionTrace, message: TracedMessage): SessionTrace {
  if (trace.isAsked === true) return trace
  const own = withoutInjected(withoutTagged(message.text, 'hook_context'))
  const text = redactSecrets(head(own, LONGEST_MESSAGE)).text.trim()
  if (text === '') return trace
  return { ...trace, messages: [...(trace.messages ?? []), { ...message, text }].slice(-MOST_MESSAGES) }
}

/**
 * The one question to a running agent, about a decision that is not recorded. Undefined if the session was asked
 * before, if no decision is clear, if the record or a settled draft has it, or if something was recorded since.
 */
export async function unrecordedDecision(
  store: Store,
  trace: SessionTrace,
  { event, settled }: { readonly event: HookEvent; readonly settled: () => Promise<readonly string[]> },
): Promise<string | undefined> {
  if (trace.isAsked === true) return undefined
  const decided = strongestOf(trace.messages ?? [])
  if (decided === undefined) return undefined
  const { decisions } = await store.catalogue()
  if (decisions.some(({ title }) => isSameMatter(title, decided.title))) return undefined
  if ((await store.journal()).some(({ at }) => at > decided.at)) return undefined
  const matter = [decided.title, ...decided.rejected].join(' ')
  if ((await settled()).some((text) => isSameMatter(text, matter))) return undefined
  const line = `Ken: decided but not recorded: "${visibleLine(decided.title)}". Call propose_decision if it still holds.`
  return enveloped(line, { origin: 'memory', trust: 'learned' }, { project: store.project.name, event })
}

function strongestOf(messages: readonly TracedMessage[]): Candidate | undefined {
  const none = { tools: [], files: [], images: 0, queued: false, aborted: false }
  const turns = messages.map(({ role, text, at }, line) => ({ role, text, at, line, endLine: line, ...none }))
  return findCandidates(turns).findLast(({ kind, isStrong }) => kind === 'decision' && isStrong)
}
