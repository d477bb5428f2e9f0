import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleTurns, type SessionEvent } from '../../src/memory/domain/session/assemble.ts'
import { callDetail } from '../../src/memory/domain/session/call-detail.ts'
import { PLAN_HEADING } from '../../src/memory/domain/session/candidates.ts'
import { composeSession } from '../../src/memory/domain/session/compose.ts'
import { parseSessionMarkdown, sessionMarkdown } from '../../src/memory/domain/session/markdown.ts'
import { isRefusal } from '../../src/memory/domain/session/refused-call.ts'
import { sessionTurns, type SessionTurn } from '../../src/memory/domain/session/session-turns.ts'

/** A decision or a question in a session. */
export interface LabelledEnd {
  /** 0-based, tool calls included. */
  readonly turn: number
  /** Whether reasonable people differ: finding it is not an error, and missing it does not count. */
  readonly optional?: boolean
}

export interface LabelledSession {
  readonly id: string
  readonly client: string
  readonly workspace: string
  readonly branch?: string
  readonly turns: readonly {
    readonly role: 'user' | 'assistant' | 'tool'
    readonly at: string
    readonly text?: string
    readonly tool?: {
      readonly name: string
      readonly input: unknown
      readonly ok: boolean | null
      readonly output?: string
    }
  }[]
  readonly labels: {
    readonly kinds: readonly string[]
    readonly facts: {
      readonly first_ask: string
      readonly files_changed: readonly string[]
      readonly files_read: readonly string[]
      readonly commands: readonly { readonly command: string; readonly ok: boolean }[]
      readonly commits: readonly { readonly subject: string }[]
      readonly packages_added: readonly string[]
      readonly packages_removed: readonly string[]
      readonly tests_fixed: readonly string[]
    }
    readonly decisions: readonly LabelledEnd[]
    readonly questions: readonly LabelledEnd[]
  }
}

export type CaptureFile = 'tuning' | 'held-out' | 'second-tuning' | 'second-held-out'

export const readCaptureSet = (half: CaptureFile): LabelledSession[] =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../sets/capture', `${half}.json`), 'utf8')) as LabelledSession[]

/** The session as read from the archive, without the data that the archive does not keep. */
export function archivedTurns({ client, id, workspace, branch, turns }: LabelledSession): readonly SessionTurn[] {
  const events = turns.flatMap(({ role, at, text, tool }): SessionEvent[] => {
    if (role !== 'tool') return [{ kind: role, text: text ?? '', at }]
    if (tool === undefined) return []
    const refused = tool.ok === false && isRefusal(tool.output ?? '')
    const call = { kind: 'tool' as const, name: tool.name, ok: tool.ok, refused, detail: callDetail(tool.input) }
    const plan = tool.name === 'ExitPlanMode' ? (tool.input as { plan?: string }).plan : undefined
    // The form in which the Claude Code harvester stores it.
    return plan === undefined ? [call] : [{ kind: 'assistant', text: `${PLAN_HEADING}\n${plan}`, at }, call]
  })
  const facts = { client, id, kind: 'main' as const, parentId: null, files: [], projectDir: workspace, titles: [] }
  const session = composeSession({ ...facts, gitBranch: branch ?? null }, assembleTurns(events))
  if (session === undefined) return []
  return sessionTurns(parseSessionMarkdown(sessionMarkdown(session, { workspace: 'here' })))
}
