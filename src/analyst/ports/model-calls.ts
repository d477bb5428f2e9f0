import type { Usage } from '../../kernel/domain/model-usage.ts'

/** One request to a model, and what it cost. */
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

/** What models were asked and what it cost. Every back end passes test/contract/model-calls.contract.ts. */
export interface ModelCalls {
  /** A call that was kept already is not counted twice. */
  keep(call: ModelCall): Promise<void>
  /** In the order they were kept. */
  list(query: {
    readonly chat?: string
    readonly user?: string
    readonly project?: string
    readonly since?: string
  }): Promise<readonly ModelCall[]>
  /** US dollars of the calls since a time whose price is known. */
  spent(query: { readonly since: string; readonly user?: string; readonly project?: string }): Promise<number>
}
