import type { Memory } from './memory-item.tsx'

/** Typed by the person themselves, and not taken from what they said elsewhere. */
export const isOwnWord = ({ source, chat }: Pick<Memory, 'source' | 'chat'>): boolean =>
  chat === undefined && (source === 'cli' || source === 'app')

/** Where what was said is what is kept, it is not shown twice. */
export const saidDiffers = ({ words, content }: Pick<Memory, 'words' | 'content'>): boolean =>
  folded(words) !== folded(content)

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s.!]+/g, ' ')
    .trim()
