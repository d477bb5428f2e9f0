import type { View } from './view.ts'

/** A Markdown file with its frontmatter set back and its headings set off; the text itself stays as it is. */
export function markMarkdown(text: string, view: View): string {
  const lines = text.split('\n')
  const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1
  return lines
    .map((line, at) => (at <= end ? view.mark('dim', line) : /^#{1,6}\s/.test(line) ? view.mark('title', line) : line))
    .join('\n')
}
