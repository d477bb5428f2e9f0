import { AppError } from '../../kernel/domain/errors.ts'
import { analyseQuery } from '../../kernel/domain/text/analyse.ts'
import { snippetOf } from '../../kernel/domain/text/snippet.ts'
import type { LanguageModel } from '../../kernel/ports/language-model.ts'
import { readMarks, rerankPrompt } from '../../retrieval/domain/ranking/rerank.ts'
import type { Reranker } from '../../retrieval/ports/reranker.ts'

const LONGEST_QUERY = 1_000
const TOKENS_PER_MARK = 8

/**
 * A language model that grades passages. It gets the most relevant lines of each passage: thirty passages fit into
 * 4,096 tokens.
 */
export function openModelReranker(model: LanguageModel): Reranker {
  return {
    id: `marks:${model.id}`,
    async rerank(query, passages, signal) {
      if (passages.length === 0) return []
      const asked = query.slice(0, LONGEST_QUERY)
      const terms = analyseQuery(asked)
      const answer = await model.write({
        ...rerankPrompt(
          asked,
          passages.map((passage) => snippetOf(passage, terms).text),
        ),
        maxTokens: 50 + passages.length * TOKENS_PER_MARK,
        signal,
      })
      const scores = readMarks(answer, passages.length)
      if (scores === undefined)
        throw new AppError('unavailable', `${model.id} did not return a score for each passage`, {
          hint: 'Use a larger model, or set search.rerank to http or off.',
        })
      return scores
    },
    close: async () => {},
  }
}
