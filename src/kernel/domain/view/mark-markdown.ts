import type { View } from './view.ts'

/** Markdown file with dimmed frontmatter and highlighted headings; the text itself stays unchanged. */
export function markMarkdown(text: string, view: View): string {
  const lines = text.split('\n')
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  return lines
    .map((line, at) => (at <= end ? view.mark('dim', line) : /^#{1,6}\s/.test(line) ? view.mark('title', line) : line))
    .join('\n')
}
