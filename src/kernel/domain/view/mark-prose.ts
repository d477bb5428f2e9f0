import type { View } from './view.ts'

/**
 * Formats one line of Markdown for a terminal: headings, bold and code are highlighted without their markup. Without
 * colours the line stays unchanged, because only the markup shows them.
 */
export function markProse(line: string, view: View): string {
  if (view.mark('title', 'x') === 'x') return line
  if (/^#{1,6}\s/.test(line)) return view.mark('title', line.replace(/^#{1,6}\s+/, ''))
  return line
    .replaceAll(CODE, (_, code: string) => view.mark('match', code))
    .replaceAll(BOLD, (_, words: string) => view.mark('title', words))
}

// Bounded, so that a line of asterisks takes linear time.
const CODE = /`([^`\n]{1,200})`/g
const BOLD = /\*\*(?! )([^*\n]{1,300})(?<! )\*\*/g
