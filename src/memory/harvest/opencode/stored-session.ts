import { asObject, asText, type JsonObject } from '../../../kernel/system/json-value.ts'
import { callDetail } from '../../domain/session/call-detail.ts'
import { isRefusal } from '../../domain/session/refused-call.ts'
import type { Skip } from '../ledger.ts'

/** A message with its parts in order; ids come from the row or the path, never from the JSON. */
export interface StoredMessage {
  readonly id: string
  readonly info: JsonObject
  readonly parts: readonly StoredPart[]
}

export interface StoredPart {
  readonly id: string
  readonly part: JsonObject
}

export interface Loaded {
  readonly messages: readonly StoredMessage[]
  readonly skipped: readonly Skip[]
}

/** A session in either storage, before its messages are read. */
export interface StoredSession {
  readonly id: string
  readonly parentId: string | undefined
  /** Root of the session's project; undefined if the project is unknown. */
  readonly worktree: string | undefined
  readonly directory: string | undefined
  readonly title: string | undefined
  readonly version: string | undefined
  readonly created: number
  readonly isArchived: boolean
  /** Messages from `message` on are reverted; within that message, parts from `part` on. */
  readonly revert: { readonly message: string; readonly part: string | undefined } | undefined
  readonly file: string
  /** Database of the session; null for JSON files. */
  readonly database: string | null
  /** Changes whenever any part of the session changes. */
  readonly fingerprint: string
  load(): Promise<Loaded>
}

/** A part without a tool's output and most of its input, which is most of the bytes of a session. */
export function withoutToolData(part: JsonObject): JsonObject {
  if (part.type !== 'tool') return part
  const state = asObject(part.state)
  const exit = asObject(state?.metadata)?.exit
  return {
    type: 'tool',
    tool: part.tool,
    state: {
      status: state?.status,
      refused: isRefusal(asText(state?.error) ?? ''),
      metadata: { exit },
      detail: callDetail(state?.input),
    },
  }
}

export function revertOf(revert: JsonObject | undefined): StoredSession['revert'] {
  if (typeof revert?.messageID !== 'string') return undefined
  return { message: revert.messageID, part: typeof revert.partID === 'string' ? revert.partID : undefined }
}
