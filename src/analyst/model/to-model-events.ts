import type { FinishReason, LanguageModelUsage, ProviderMetadata, TextStreamPart, ToolSet } from 'ai'
import { usageOf, type ModelPrices } from '../../kernel/domain/model-facts.ts'
import type { ModelEvent } from '../../kernel/ports/language-model.ts'

/** A stream that stopped before the model reported its end. */
export class CutStream extends Error {}

/** Streams the model's events; rethrows the provider's errors. */
export async function* toModelEvents(
  parts: AsyncIterable<TextStreamPart<ToolSet>>,
  prices: ModelPrices | undefined,
): AsyncGenerator<ModelEvent> {
  const thoughts = new Map<string, ProviderMetadata | undefined>()
  /** Ends open reasoning: some providers end it only after the output it led to. */
  const endThoughts = function* (): Generator<ModelEvent> {
    for (const carry of thoughts.values()) yield { type: 'reasoned', carry }
    thoughts.clear()
  }
  let hasCalled = false
  for await (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        if (part.text === '') break
        yield* endThoughts()
        yield { type: 'text', text: part.text }
        break
      case 'reasoning-start':
      case 'reasoning-delta':
        // A signature arrives in a delta without text, after the reasoning.
        thoughts.set(part.id, part.providerMetadata ?? thoughts.get(part.id))
        if (part.type === 'reasoning-delta' && part.text !== '') yield { type: 'reasoning', text: part.text }
        break
      case 'reasoning-end':
        if (!thoughts.has(part.id)) break
        yield { type: 'reasoned', carry: part.providerMetadata ?? thoughts.get(part.id) }
        thoughts.delete(part.id)
        break
      case 'tool-call': {
        hasCalled = true
        yield* endThoughts()
        const { toolCallId: id, toolName: name, input, providerMetadata: carry } = part
        yield { type: 'call', id, name, input, ...(carry !== undefined && { carry }) }
        break
      }
      case 'finish-step': {
        const reason = endReason(part.finishReason, part.rawFinishReason, hasCalled)
        if (reason === undefined) throw new CutStream('the stream ended before the answer did')
        yield { type: 'end', reason, usage: usageOf(counted(part.usage), prices, costTold(part.providerMetadata)) }
        return
      }
      case 'error':
        throw part.error
    }
  }
  throw new CutStream('the stream ended before the answer did')
}

/** Refusals from providers that have no type for them. */
const REFUSED = /filter|refus|safety/i

function endReason(
  reason: FinishReason,
  raw: string | undefined,
  hasCalled: boolean,
): Extract<ModelEvent, { type: 'end' }>['reason'] | undefined {
  if (reason === 'length') return 'length'
  if (reason === 'content-filter' || (reason === 'other' && REFUSED.test(raw ?? ''))) return 'refused'
  if (reason === 'error' || reason === 'interrupted' || (reason === 'other' && raw === undefined)) return undefined
  // Some servers report `stop` after a call as well.
  return hasCalled ? 'calls' : 'stop'
}

/** Cost reported by the provider, as OpenRouter does for each answer. */
function costTold(metadata: ProviderMetadata | undefined): number | undefined {
  const { cost } = (metadata?.['openrouter']?.['usage'] ?? {}) as { cost?: unknown }
  return typeof cost === 'number' ? cost : undefined
}

function counted({ inputTokens, outputTokens, inputTokenDetails, outputTokenDetails }: LanguageModelUsage) {
  return {
    input: inputTokens ?? 0,
    output: outputTokens ?? 0,
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    stored: inputTokenDetails.cacheWriteTokens ?? 0,
    reasoning: outputTokenDetails.reasoningTokens ?? 0,
  }
}
