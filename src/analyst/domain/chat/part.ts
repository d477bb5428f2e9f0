import type { ChartSpec } from '../chart/chart.ts'

/**
 * A part of a chat, in order. Parts are append-only; a text and a reasoning grow until they end. Showing or resuming a
 * chat needs nothing else.
 */
export type ChatPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string; readonly carry?: unknown }
  | { readonly kind: 'image'; readonly mediaType: string; readonly base64: string }
  /** Context given to the model for this turn, stored so that a person can see it on the answer. */
  | { readonly kind: 'injected'; readonly injected: Injected }
  | {
      readonly kind: 'call'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      /** Provider data to send back with the call. */
      readonly carry?: unknown
    }
  | {
      readonly kind: 'result'
      readonly call: string
      readonly tool: string
      /** Result text given to the model. */
      readonly text: string
      readonly failed: boolean
      /** The operation's answer as data, if small enough to store. */
      readonly output?: unknown
    }
  | { readonly kind: 'chart'; readonly call: string; readonly chart: ChartSpec }
  | { readonly kind: 'story'; readonly call: string; readonly story: string; readonly version: number }
  /** The analyst asks a clarifying question; the user's next message is the answer. */
  | { readonly kind: 'question'; readonly question: string; readonly options: readonly string[] }
  /** A call waits for a person's approval. */
  | {
      readonly kind: 'approval'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      /** Version of the tool to be approved. */
      readonly mark?: string
      /** Set for a Ken tool that changes something, called after the model has read third-party text. */
      readonly own?: true
    }
  | { readonly kind: 'approved'; readonly call: string; readonly answer: Approval }
  | { readonly kind: 'follow_ups'; readonly questions: readonly string[] }
  /** A rule or fact learned from a user message. */
  | { readonly kind: 'remembered'; readonly memory: string; readonly content: string }
  /** Summary of everything in the chat up to the part `upTo`. */
  | { readonly kind: 'compaction'; readonly summary: string; readonly upTo: number }
  /** Source of each number of the answer. */
  | { readonly kind: 'citations'; readonly citations: readonly Citation[] }
  /** Ken's own message: a cap that was reached, a retry. */
  /** `again`: the model is called again and repeats its interrupted text. */
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
  /** Paths and chats of similar questions with their SQL; undefined in older chats. */
  readonly examples?: readonly string[]
}

/** A number in prose: checked against the cell it names, or marked as not returned by any query. */
export interface Citation {
  /** The number as written in the answer. */
  readonly text: string
  /** Start offset in the text of the message. */
  readonly at: number
  readonly state: 'checked' | 'differs' | 'unsourced'
  readonly query?: string
  readonly column?: string
  /** 1-based row. */
  readonly row?: number
  /** Aggregate over all rows of the column, if the number is not a cell. */
  readonly by?: 'sum' | 'min' | 'max' | 'mean' | 'count'
  /** Actual value of the cell, if it differs. */
  readonly found?: string
}

export type PartKind = ChatPart['kind']
