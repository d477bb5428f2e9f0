import type { Embedder } from './embedder.ts'
import type { LanguageModel } from './language-model.ts'
import type { QueryExpansion } from './query-expansion.ts'
import type { Reranker } from './reranker.ts'

/**
 * The models that the settings name, each opened when first asked for; undefined where none is set. A setting that
 * makes no sense throws `invalid_input`.
 */
export interface Models {
  language(): Promise<LanguageModel | undefined>
  reranker(): Promise<Reranker | undefined>
  expansion(): Promise<QueryExpansion | undefined>
  embedder(): Promise<Embedder | undefined>
}
