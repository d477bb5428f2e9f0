import type { HeardMessage } from './chat-log.ts'

/** The person's text. */
export const questionText = ({ parts }: HeardMessage): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n')

/** Its images, in the form they are sent again. */
export const questionImages = ({ parts }: HeardMessage): readonly string[] =>
  parts.flatMap((part) => (part.kind === 'image' ? [`data:${part.mediaType};base64,${part.base64}`] : []))
