import { clientName } from '../../../kit/names.ts'
import type { Memory } from './memory-item.tsx'

/** Whether the person typed the memory, so that it does not come from a chat or session. */
export const isOwnWord = ({ source, chat }: Pick<Memory, 'source' | 'chat'>): boolean =>
  chat === undefined && (source === 'cli' || source === 'app')

/** Where a memory was typed or learned: `at a terminal`, `from Claude Code`. */
export const sourceWords = (source: string): string =>
  source === 'cli' ? 'at a terminal' : source === 'app' ? 'in the app' : `from ${clientName(source)}`

/** Whether the quote differs from the stored text; otherwise it is not shown twice. */
export const saidDiffers = ({ words, content }: Pick<Memory, 'words' | 'content'>): boolean =>
  folded(words) !== folded(content)

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s.!]+/g, ' ')
    .trim()
