import type { ChartSpec } from '../chart/chart.ts'

/**
 * What happened in a chat, in order. Parts are only ever added; a text and a reasoning grow until they end. Whoever
 * shows or resumes a chat needs nothing else.
 */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly carry?: unknown }
  | { readonly kind: 'image'; readonly mediaType: string; readonly base64: string }
  /** What was put before the model for this turn, so that a person can see it on the answer. */
  | { readonly kind: 'injected'; readonly injected: Injected }
  | {
      readonly kind: 'call'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      /** What the provider wants back with it. */
      readonly carry?: unknown
    }
  | {
      readonly kind: 'result'
      readonly call: string
      readonly tool: string
      /** As the model got it. */
      readonly text: string
      readonly failed: boolean
      /** The operation's answer as data, where it is small enough to keep. */
      readonly output?: unknown
    }
  | { readonly kind: 'chart'; readonly call: string; readonly chart: ChartSpec }
  | { readonly kind: 'story'; readonly call: string; readonly story: string; readonly version: number }
  /** The analyst asks back; the answer is the next message of the user. */
  | { readonly kind: 'question'; readonly question: string; readonly options: readonly string[] }
  /** A call waits for a person's yes. */
  | {
      readonly kind: 'approval'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      /** Of what the tool was when it was asked about. */
      readonly mark?: string
      /** A tool of Ken's that changes something, after the model has read words that are not the person's. */
      readonly own?: true
    }
  | { readonly kind: 'approved'; readonly call: string; readonly answer: Approval }
  | { readonly kind: 'follow_ups'; readonly questions: readonly string[] }
  /** A rule or fact was learned from what the user wrote. */
  | { readonly kind: 'remembered'; readonly memory: string; readonly content: string }
  /** Everything before it in the chat, in fewer words. */
  | { readonly kind: 'compaction'; readonly summary: string; readonly upTo: number }
  /** Where each number of the answer comes from. */
  | { readonly kind: 'citations'; readonly citations: readonly Citation[] }
  /** In Ken's own words: a cap that was reached, a try that is made again. */
  /** `again`: the model is asked once more, and says anew what it had begun to say. */
  | { readonly kind: 'notice'; readonly text: string; readonly again?: true }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string; readonly hint?: string }

export type Approval = 'once' | 'chat' | 'no'

export interface Injected {
  readonly rules?: { readonly path: string; readonly tokens: number; readonly cut: boolean }
  readonly memories: readonly { readonly id: string; readonly content: string; readonly category: string }[]
  readonly decisions: readonly { readonly number: number; readonly title: string }[]
  readonly skills: readonly string[]
  readonly tables: readonly string[]
  readonly stories: readonly string[]
}

/** A number in prose: checked against the cell it names, or marked as one that no query gave. */
export interface Citation {
  /** As it stands in the answer. */
  readonly text: string
  /** Where it begins in the text of the message. */
  readonly at: number
  readonly state: 'checked' | 'differs' | 'unsourced'
  readonly query?: string
  readonly column?: string
  /** From 1. */
  readonly row?: number
  /** Over all rows of the column, where it is no cell. */
  readonly by?: 'sum' | 'min' | 'max' | 'mean' | 'count'
  /** What the cell holds, where that is something else. */
  readonly found?: string
}

export type PartKind = ChatPart['kind']
