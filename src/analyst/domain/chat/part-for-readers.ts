import type { ChatPart } from './part.ts'

/**
 * A part of a chat as those see it who are not its owner; undefined for what they do not. What Ken remembers about a
 * person is put before the model, which thinks about it and may learn more: none of that is theirs to read.
 */
export function partForReaders(part: ChatPart): ChatPart | undefined {
  switch (part.kind) {
    case 'reasoning':
    case 'remembered':
      return undefined
    case 'notice':
      // It may be of the owner's budget; one that says that the model began anew is a part of how the text is read.
      return part.again === true ? part : undefined
    case 'injected':
      return { ...part, injected: { ...part.injected, memories: [] } }
    case 'call': {
      // A provider hides its model's thoughts in it.
      const { carry: _carry, ...call } = part
      return call
    }
    default:
      return part
  }
}
