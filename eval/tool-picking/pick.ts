import { QUERY_STOP_WORDS } from '../../src/kernel/domain/text/decision-tokens.ts'
import { rankBm25 } from '../../src/retrieval/domain/ranking/bm25.ts'
import type { Embedder } from '../../src/retrieval/ports/embedder.ts'

/** A tool as seen by a client that loads tools on demand. */
export interface ListedTool {
  /** Name with its server, e.g. `ken get_context`; without a server if built into the client. */
  readonly name: string
  readonly description: string
  readonly hint: string
  readonly parameters: readonly string[]
}

/** Names of tools, best first, without those that do not match at all. */
export type Picker = (request: string, tools: readonly ListedTool[]) => Promise<string[]>

/** BM25 over all texts of a tool. */
export const byWords: Picker = async (request, tools) =>
  rankBm25(
    tools.map((tool) =>
      [spaced(tool.name), tool.description, tool.hint, tool.parameters.map(spaced).join(' ')].join('\n'),
    ),
    request,
  ).map(({ index }) => tools[index]!.name)

/**
 * Ranks as Claude Code 2.1 scores deferred tools, for the words that a model would search with: a word of the name
 * counts 12, part of one 6, a word of the hint 4, one of the description 2; rarity does not count.
 */
export const byClaudeCode: Picker = async (request, tools) => {
  const words = [...new Set(request.toLowerCase().match(/[a-z0-9][a-z0-9_.-]*[a-z0-9]|[a-z0-9]/g))].filter(
    (word) => !QUERY_STOP_WORDS.has(word),
  )
  return best(
    tools.map((tool) => {
      const parts = spaced(tool.name).split(' ')
      const holds = (text: string, word: string) =>
        new RegExp(`\\b${word.replaceAll('.', '\\.')}\\b`).test(text.toLowerCase())
      return words
        .map(
          (word) =>
            (parts.includes(word) ? 12 : parts.some((part) => part.includes(word)) ? 6 : 0) +
            (holds(tool.hint, word) ? 4 : 0) +
            (holds(tool.description, word) ? 2 : 0),
        )
        .reduce((sum, score) => sum + score, 0)
    }),
    tools,
  )
}

/** Ranks by the cosine of request and tool. */
export const byMeaning =
  (embedder: Embedder): Picker =>
  async (request, tools) => {
    const [asked] = await embedder.embed([request], 'query')
    const texts = tools.map((tool) => `${spaced(tool.name)}: ${tool.description} ${tool.hint}`)
    const vectors = await embedder.embed(texts, 'document')
    return best(
      vectors.map((vector) => vector.reduce((sum, value, i) => sum + value * asked![i]!, 0)),
      tools,
    )
  }

const best = (scores: readonly number[], tools: readonly ListedTool[]): string[] =>
  scores
    .map((score, index) => ({ score, index }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map(({ index }) => tools[index]!.name)

const spaced = (name: string): string =>
  name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_\s]+/g, ' ')
    .toLowerCase()
