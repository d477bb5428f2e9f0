import type { Turn } from './use-turns.ts'

// A quote is for reading, so a long one is truncated.
const LONGEST = 2_000

/** A turn as a Markdown quote with its place. */
export function quoteOf(
  { text, role, at }: Pick<Turn, 'text' | 'role' | 'at'>,
  { title, link }: { readonly title: string; readonly link: string },
): string {
  const said = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
  const lines = said.split('\n').map((line) => `> ${line}`.trimEnd())
  const label = title.replaceAll(/[[\]\\]/g, '\\$&').replaceAll(/\s+/g, ' ')
  return [...lines, '>', `> — ${role === 'user' ? 'user' : 'agent'}, ${at.slice(0, 10)}, [${label}](${link})`].join(
    '\n',
  )
}
