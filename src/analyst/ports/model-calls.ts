import type { Usage } from '../../kernel/domain/model-usage.ts'

/** One model request and its cost. */
export interface ModelCall {
  readonly id: string
  readonly user: string
  readonly project: string
  readonly chat?: string
  readonly message?: string
  readonly purpose: 'answer' | 'title' | 'memory' | 'compaction' | 'draft'
  readonly model: string
  readonly usage: Usage
  readonly milliseconds: number
  readonly failed: boolean
  readonly at: string
}

/** Model requests and their cost. Every back end passes test/contract/model-calls.contract.ts. */
export interface ModelCalls {
  /** Stores a call. Idempotent: a stored call is not counted twice. */
  keep(call: ModelCall): Promise<void>
  /** Lists calls in storage order. */
  list(query: {
    readonly chat?: string
    readonly user?: string
    readonly project?: string
    readonly since?: string
  }): Promise<readonly ModelCall[]>
  /** Cost in US dollars of the calls since a time that have a known price. */
  spent(query: { readonly since: string; readonly user?: string; readonly project?: string }): Promise<number>
}
