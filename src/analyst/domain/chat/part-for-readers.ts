import type { ChatPart } from './part.ts'

/**
 * A part of a chat as seen by readers other than its owner; undefined if hidden. Memories about a person are put before
 * the model, which reasons about them and may learn more: readers must not see any of that.
 */
export function partForReaders(part: ChatPart): ChatPart | undefined {
  switch (part.kind) {
    case 'reasoning':
    case 'remembered':
      return undefined
    case 'notice':
      // It may be about the owner's budget; one that marks a restart of the model is needed to read the text.
      return part.again === true ? part : undefined
    case 'injected':
      return { ...part, injected: { ...part.injected, memories: [] } }
    case 'call': {
      // A provider hides its model's reasoning in it.
      const { carry: _carry, ...call } = part
      return call
    }
    default:
      return part
  }
}
