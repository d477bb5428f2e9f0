import type { ChatPart } from './part.ts'

/**
 * Returns a part of a chat as seen by readers other than its owner; undefined if hidden. Hides the owner's memories,
 * and the reasoning about them: the model is given memories and may learn more.
 */
export function partForReaders(part: ChatPart): ChatPart | undefined {
  switch (part.kind) {
    case 'reasoning':
    case 'remembered':
      return undefined
    case 'notice':
      // A notice may be about the owner's budget; one that marks a restart of the model is needed to read the text.
      return part.again === true ? part : undefined
    case 'injected':
      return { ...part, injected: { ...part.injected, memories: [] } }
    case 'call': {
      // `carry` contains the model's reasoning, hidden by its provider.
      const { carry: _carry, ...call } = part
      return call
    }
    default:
      return part
  }
}
