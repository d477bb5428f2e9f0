import type { HeardMessage } from './chat-log.ts'

/** Text of the question. */
export const questionText = ({ parts }: HeardMessage): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')

/** Images of the question, in the form in which they are sent again. */
export const questionImages = ({ parts }: HeardMessage): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'image' ? [`data:${part.mediaType};base64,${part.base64}`] : []))
