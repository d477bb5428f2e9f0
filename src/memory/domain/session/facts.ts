import { readCommand } from './read-command.ts'
import type { SessionTurn } from './session-turns.ts'
import { pathsIn, toolKind } from './tool-kind.ts'

export const FACT_KINDS = ['read', 'changed', 'command', 'commit', 'branch', 'tests', 'added', 'removed'] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** An action in a session, recorded by its tool calls. */
export interface SessionFact {
  readonly kind: FactKind
  /** A path, command line, commit subject, branch or package. */
  readonly what: string
  /** Null if the log has no outcome. */
  readonly ok: boolean | null
  /** 1-based turn of the session. */
  readonly turn: number
  /** ISO time of the turn. */
  readonly at: string
  /** For `tests` that failed and passed later: the files changed in between. */
  readonly files?: readonly string[]
}

export interface SessionFacts {
  readonly firstAsk: { readonly text: string; readonly turn: number } | undefined
  readonly facts: readonly SessionFact[]
  /** `interrupted`: the user stopped the last turn. `unanswered`: no text follows the user's last message. */
  readonly ended: 'answered' | 'interrupted' | 'unanswered'
}

/** Facts of a session from its tool calls alone: what an agent claims to have done does not count. */
export function sessionFacts(turns: readonly SessionTurn[]): SessionFacts {
  const facts: SessionFact[] = []
  const open = new Map<string, { readonly from: number }>()
  for (const [index, { role, tools, at, aborted }] of turns.entries()) {
    if (role !== 'assistant') continue
    for (const { name, ok, refused, detail } of tools) {
      const kind = toolKind(name, detail)
      if (kind === undefined || detail === undefined || refused) continue
      const add = (one: Pick<SessionFact, 'kind' | 'what'> & Partial<SessionFact>): void => {
        facts.push({ ok, turn: index + 1, at, ...one })
      }
      if (kind === 'command') commandFacts(detail, { ok, add, facts, open })
      // A call without an outcome in a stopped turn did not finish.
      else if (ok ?? !aborted)
        for (const what of pathsIn(detail)) add({ kind: kind === 'read' ? 'read' : 'changed', what })
    }
  }
  return { firstAsk: firstAsk(turns), facts, ended: endOf(turns) }
}

interface Collecting {
  readonly ok: boolean | null
  readonly add: (one: Pick<SessionFact, 'kind' | 'what'> & Partial<SessionFact>) => void
  readonly facts: readonly SessionFact[]
  /** Test runners whose last run failed, with the number of facts at that time. */
  readonly open: Map<string, { readonly from: number }>
}

function commandFacts(line: string, { ok, add, facts, open }: Collecting): void {
  add({ kind: 'command', what: line })
  const { added, removed, commit, tests } = readCommand(line)
  if (tests !== undefined && ok === false && !open.has(tests)) open.set(tests, { from: facts.length })
  if (ok !== true) return
  const failed = tests === undefined ? undefined : open.get(tests)
  if (tests !== undefined && failed !== undefined) {
    open.delete(tests)
    add({ kind: 'tests', what: line, files: changedSince(facts, failed.from) })
  }
  for (const what of added) add({ kind: 'added', what })
  for (const what of removed) add({ kind: 'removed', what })
  if (commit !== undefined) add({ kind: 'commit', what: commit })
  const branch = /\bgit (?:checkout -[bB]|switch -[cC]|switch --create) ["']?([^\s"';&|]+)/.exec(line)?.[1]
  if (branch !== undefined) add({ kind: 'branch', what: branch })
}

const changedSince = (facts: readonly SessionFact[], from: number): string[] => [
  ...new Set(facts.slice(from).flatMap(({ kind, what }) => (kind === 'changed' ? [what] : []))),
]

function firstAsk(turns: readonly SessionTurn[]): SessionFacts['firstAsk'] {
  const at = turns.findIndex(({ role, text }) => role === 'user' && text.trim() !== '')
  return at < 0 ? undefined : { text: turns[at]!.text.trim(), turn: at + 1 }
}

function endOf(turns: readonly SessionTurn[]): SessionFacts['ended'] {
  const last = turns.findLast(({ role }) => role !== 'summary')
  if (last?.aborted === true) return 'interrupted'
  return last?.role === 'assistant' && last.text.trim() !== '' ? 'answered' : 'unanswered'
}
