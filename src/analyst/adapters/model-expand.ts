import { AppError } from '../../kernel/domain/errors.ts'
import type { LanguageModel } from '../../kernel/ports/language-model.ts'
import { expansionPrompt, readExpansions } from '../../retrieval/domain/ranking/query-expansion.ts'
import type { QueryExpansion } from '../../retrieval/ports/query-expansion.ts'

const MAX_TOKENS = 200

/** A language model that rephrases a query. */
export function openModelExpansion(model: LanguageModel): QueryExpansion {
  return {
    id: `words:${model.id}`,
    async expand(query, signal) {
      const wordings = readExpansions(
        await model.write({ ...expansionPrompt(query), maxTokens: MAX_TOKENS, signal }),
        query,
      )
      if (wordings === undefined)
        throw new AppError('unavailable', `${model.id} returned no list of other wordings`, {
          hint: 'Use a larger model, or set search.expand to false.',
        })
      return wordings
    },
    close: async () => {},
  }
}
