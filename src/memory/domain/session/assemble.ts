import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'
import { head } from '../../../kernel/domain/text.ts'
import { withoutInjected } from './injected.ts'
import { withoutQuestion } from './ken-calls.ts'
import type { CompactionSummary, ToolCall, Turn, UserTurn } from './session.ts'

/** Events of a session, in order, after an adapter has dropped its client's noise. */
export type SessionEvent =
  | {
      readonly kind: 'user'
      readonly text: string
      readonly at: string
      readonly queued?: boolean
      readonly images?: number
      readonly files?: readonly string[]
    }
  /** `until`: time at which the client finished writing this text, if recorded. */
  | { readonly kind: 'assistant'; readonly text: string; readonly at: string; readonly until?: string | undefined }
  /** `detail`: summary of the call's input by `callDetail`. */
  | {
      readonly kind: 'tool'
      readonly name: string
      readonly ok: boolean | null
      readonly refused?: boolean
      readonly detail?: string | undefined
    }
  | { readonly kind: 'aborted' }
  | { readonly kind: 'rolled-back'; readonly turns: number }
  | { readonly kind: 'compacted'; readonly text: string; readonly at: string }

export interface Conversation {
  readonly turns: readonly Turn[]
  readonly abandoned: readonly Turn[]
  /** Every turn in order, including those rolled back later. */
  readonly history: readonly Turn[]
  readonly summaries: readonly CompactionSummary[]
  readonly startedAt: string | undefined
  readonly endedAt: string | undefined
}

/** Limit for a pasted log, which must not dominate the memory; the text notes the truncation. */
const LONGEST_TEXT = 200_000

type Draft = { until: string; isAborted: boolean } & (
  | { readonly role: 'user'; readonly turn: UserTurn }
  | { readonly role: 'assistant'; readonly texts: string[]; readonly at: string; readonly tools: ToolCall[] }
)

/**
 * A turn is one human text, or all assistant text up to the next one. Tools belong to the assistant text around them;
 * tools used before any assistant text belong to its next one. `skip` omits the first turns and everything belonging to
 * them, for a fork that begins with a copy of its parent.
 */
export function assembleTurns(events: readonly SessionEvent[], skip = 0): Conversation {
  const history: Draft[] = []
  const abandoned: Draft[] = []
  const summaries: CompactionSummary[] = []
  let live: Draft[] = []
  let waiting: ToolCall[] = []

  const add = (draft: Draft): void => {
    live.push(draft)
    history.push(draft)
  }
  const answer = (text: string, at: string, until: string): void => {
    const last = live.at(-1)
    if (last?.role === 'assistant') {
      last.texts.push(text)
      last.until = until
      return
    }
    add({ role: 'assistant', texts: [text], at, tools: waiting, until, isAborted: false })
    waiting = []
  }

  for (const event of events) {
    const last = live.at(-1)
    if (event.kind === 'user') {
      const turn = userTurn(event)
      if (turn) add({ role: 'user', turn, until: event.at, isAborted: false })
    } else if (event.kind === 'assistant') {
      const text = clean(event.text)
      if (text !== '') answer(text, event.at, event.until ?? event.at)
    } else if (event.kind === 'tool') {
      const calls = last?.role === 'assistant' ? last.tools : waiting
      const { name, ok, detail } = event
      const refused = event.refused === true ? { refused: true as const } : {}
      calls.push(withoutQuestion({ name, ok, ...refused, ...(detail !== undefined && { detail }) }))
    } else if (event.kind === 'aborted') {
      if (last) last.isAborted = true
    } else if (event.kind === 'rolled-back') {
      abandoned.push(...live.splice(startOfLastUserTurns(live, event.turns)))
      waiting = []
    } else {
      const text = clean(event.text)
      if (text !== '' && (skip === 0 || history.length > skip)) summaries.push({ at: event.at, text })
    }
  }

  // Calls that no text followed are still calls of the session, unless the user stopped them.
  const unsaid = live.at(-1)
  if (waiting.length > 0 && unsaid?.isAborted === false) {
    const { until } = unsaid
    add({ role: 'assistant', texts: [], at: until, tools: waiting, until, isAborted: false })
  }

  const skipped = new Set(history.slice(0, skip))
  live = live.filter((draft) => !skipped.has(draft))
  const turns = live.map(turnOf)
  return {
    turns,
    abandoned: abandoned.filter((draft) => !skipped.has(draft)).map(turnOf),
    history: history.map(turnOf),
    summaries,
    startedAt: turns.map((turn) => turn.at).sort()[0],
    endedAt: live
      .map((draft) => draft.until)
      .sort()
      .at(-1),
  }
}

function turnOf(draft: Draft): Turn {
  const aborted = draft.isAborted ? { aborted: true as const } : {}
  if (draft.role === 'user') return { ...draft.turn, ...aborted }
  return { role: 'assistant', text: draft.texts.join('\n\n'), at: draft.at, tools: draft.tools, ...aborted }
}

function userTurn(event: SessionEvent & { kind: 'user' }): UserTurn | undefined {
  const text = clean(event.text)
  const images = event.images ?? 0
  const files = event.files ?? []
  if (text === '' && images === 0 && files.length === 0) return undefined
  return {
    role: 'user',
    text,
    at: event.at,
    ...(event.queued ? { queued: true } : {}),
    ...(images > 0 ? { images } : {}),
    ...(files.length > 0 ? { files } : {}),
  }
}

function startOfLastUserTurns(live: readonly Draft[], count: number): number {
  let start = live.length
  for (let seen = 0; seen < count && start > 0;) {
    start -= 1
    if (live[start]?.role === 'user') seen += 1
  }
  return start
}

function clean(text: string): string {
  const said = withoutInjected(text).trim()
  if (head(said, LONGEST_TEXT).length === said.length) return said
  // Redacted before it is cut: half a secret is not recognised.
  const kept = head(redactSecrets(said).text, LONGEST_TEXT)
  return `${kept}\n\n[${said.length - kept.length} more characters were left out]`
}
