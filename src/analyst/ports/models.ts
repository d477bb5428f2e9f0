import type { LanguageModel } from '../../kernel/ports/language-model.ts'
import type { Embedder } from '../../retrieval/ports/embedder.ts'
import type { QueryExpansion } from '../../retrieval/ports/query-expansion.ts'
import type { Reranker } from '../../retrieval/ports/reranker.ts'
import type { AgentClient } from './agent-client.ts'

/** The program that answers as the analyst: a model that Ken calls itself, or a client with its own model. */
export type Answerer =
  | { readonly kind: 'model'; readonly model: LanguageModel }
  | { readonly kind: 'client'; readonly client: AgentClient }

/**
 * The models from the settings, each opened on first use; undefined if not set. An invalid setting throws
 * `invalid_input`.
 */
export interface Models {
  /** Also undefined if the settings name a client, because a client does not write texts for Ken. */
  language(): Promise<LanguageModel | undefined>
  /** Returns the named answerer, or the one from the settings. */
  answerer(name?: string): Promise<Answerer | undefined>
  reranker(): Promise<Reranker | undefined>
  expansion(): Promise<QueryExpansion | undefined>
  embedder(): Promise<Embedder | undefined>
}
