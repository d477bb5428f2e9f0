import { estimateTokens } from '../context/domain/context-project/manifest.ts'
import { NO_USAGE, type Usage } from '../kernel/domain/model-usage.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import { orStopped } from '../kernel/domain/stop.ts'
import { toAppError } from '../kernel/domain/to-app-error.ts'
import type { Clock } from '../kernel/ports/clock.ts'
import type { LanguageModel } from '../kernel/ports/language-model.ts'
import { dot } from '../retrieval/domain/ranking/vector.ts'
import type { Embedder } from '../retrieval/ports/embedder.ts'
import { contentWords, isNegated, sharedWords } from './domain/user-memory/content-words.ts'
import { extractionPrompt } from './domain/user-memory/extraction-prompt.ts'
import { judgeProposals, type Judged } from './domain/user-memory/judge-proposals.ts'
import type { MemoryRow } from './domain/user-memory/memory-row.ts'
import { readProposals, type MemoryProposals } from './domain/user-memory/proposal.ts'
import { hasReason, proposeByRule } from './domain/user-memory/propose-by-rule.ts'
import { userMessages, type UserMessage } from './domain/user-memory/user-messages.ts'
import { firstSignal } from './first-signal.ts'

const MOST_TOKENS = 1_000
/** Milliseconds to wait for the model; a later answer is not worth the wait. */
const PATIENCE = 20_000

export interface ExtractParts {
  readonly clock: Clock
  /** If undefined, plain statements are still found, by rule. */
  readonly model: LanguageModel | undefined
  /** The bundled embedder, which detects paraphrases. */
  readonly embedder?: Embedder | undefined
  readonly signal: StopSignal
  keepCall(call: ExtractCall): Promise<void>
}

export interface ExtractCall {
  readonly model: string
  /** Estimated from the length of request and answer. */
  readonly usage: Usage
  readonly milliseconds: number
  readonly failed: boolean
}

export interface Extracted extends Judged {
  /** Why the model could not be called; plain statements were found anyway. */
  readonly failure?: string
}

/**
 * Extracts memories from the user's last message, or from all new messages: proposed by a model or by rule, and then
 * judged. Messages without a signal cost nothing.
 */
export async function extractMemories(
  parts: ExtractParts,
  said: readonly UserMessage[],
  holding: readonly MemoryRow[],
  newest = 1,
): Promise<Extracted> {
  const clean = said.map(({ id, text }) => ({ id, text: redactSecrets(text).text }))
  const messages = userMessages(clean)
  const ids = new Set(said.slice(-newest).map(({ id }) => id))
  const fresh = messages?.filter(({ id }) => ids.has(id)) ?? []
  if (messages === undefined || !hasReason(fresh)) return { accepted: [], forget: [], refused: [] }
  const { proposals, failure } = await propose(parts, { messages, fresh, holding })
  const meanSame = await meaningOf(parts.embedder, proposals, holding)
  const judged = judgeProposals(proposals, { messages, holding, ...(meanSame && { meanSame }) })
  return { ...judged, ...(failure !== undefined && { failure }) }
}

interface Read {
  readonly messages: readonly UserMessage[]
  readonly fresh: readonly UserMessage[]
  readonly holding: readonly MemoryRow[]
}

async function propose(
  parts: ExtractParts,
  { messages, fresh, holding }: Read,
): Promise<{ readonly proposals: MemoryProposals; readonly failure?: string }> {
  if (parts.model === undefined) return { proposals: proposeByRule(fresh, holding) }
  try {
    const proposals = readProposals(await ask(parts, parts.model, messages, holding))
    if (proposals !== undefined) return { proposals }
    return { proposals: proposeByRule(fresh, holding), failure: 'The model did not answer in the form asked for.' }
  } catch (error) {
    return { proposals: proposeByRule(fresh, holding), failure: toAppError(error).message }
  }
}

async function ask(
  { clock, signal, keepCall }: ExtractParts,
  model: LanguageModel,
  messages: readonly UserMessage[],
  holding: readonly MemoryRow[],
): Promise<string> {
  const request = extractionPrompt(messages, holding)
  const started = clock.now().getTime()
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE)
  const either = firstSignal(late.signal, signal)
  const keep = (answer: string | undefined): Promise<void> =>
    keepCall({
      model: model.id,
      usage: {
        ...NO_USAGE,
        input: estimateTokens(request.system + request.prompt),
        output: estimateTokens(answer ?? ''),
      },
      milliseconds: clock.now().getTime() - started,
      failed: answer === undefined,
    })
  try {
    const answer = await orStopped(model.write({ ...request, maxTokens: MOST_TOKENS, signal: either }), either)
    await keep(answer)
    return answer
  } catch (error) {
    await keep(undefined)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function meaningOf(embedder: Embedder | undefined, { items }: MemoryProposals, holding: readonly MemoryRow[]) {
  if (embedder === undefined || items.length === 0 || holding.length === 0) return undefined
  const texts = [...items, ...holding].map(({ content }) => content)
  return openMeanSame(embedder, texts).catch(() => undefined)
}

// Measured on pairs with the bundled embedder: "display" for "show" is above, "june" for "july" and "include" for
// "exclude" below. A kept duplicate costs a line; a change mistaken for a duplicate is lost.
const LEAST_LIKENESS = 0.85
const LEAST_WORD_LIKENESS = 0.6

type MeanSame = (a: string, b: string) => boolean

/**
 * Returns a function that detects paraphrases among the texts: two texts are similar, and so is every word that
 * differs.
 */
async function openMeanSame(embedder: Embedder, texts: readonly string[]): Promise<MeanSame> {
  const all = [...new Set([...texts, ...texts.flatMap(contentWords)])]
  const vectors = await embedder.embed(all, 'document')
  const vectorOf = new Map(all.map((text, i) => [text, vectors[i]!]))
  const likeness = (a: string, b: string): number => {
    const [own, other] = [vectorOf.get(a), vectorOf.get(b)]
    return own === undefined || other === undefined ? 0 : dot(own, other)
  }
  return (a, b) => {
    if (likeness(a, b) < LEAST_LIKENESS || isNegated(a) !== isNegated(b)) return false
    const [own, other] = [contentWords(a), contentWords(b)]
    const without = (words: readonly string[], from: readonly string[]): readonly string[] =>
      from.filter((word) => sharedWords([word], words).length === 0)
    const [onlyOwn, onlyOther] = [without(other, own), without(own, other)]
    const hasTwin = (word: string, among: readonly string[]): boolean =>
      !/\d/.test(word) && among.some((twin) => likeness(word, twin) >= LEAST_WORD_LIKENESS)
    return onlyOwn.every((word) => hasTwin(word, onlyOther)) && onlyOther.every((word) => hasTwin(word, onlyOwn))
  }
}
