import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'

const FRONTMATTER = /^---\n([\s\S]{0,20000}?)\n---/
const LINE = /^(?:[-*+] )?\**(?:tags|labels|keywords)\**:\**[ \t]*(\S.{0,400})$/im
const LIST = /^(?:tags|labels|keywords):[ \t]*\n((?:[ \t]*- .{1,80}\n?){1,40})/im
const MOST = 20

/** A file's own tags: a key of its frontmatter, or a line "Tags: a, b" in its text. */
export function tagsOf(content: string): string[] {
  const block = LIST.exec(FRONTMATTER.exec(content)?.[1] ?? '')?.[1]
  // Redacted before the letters become lower case, which would hide a token.
  const { text } = redactSecrets(block ?? LINE.exec(content)?.[1] ?? '')
  const found = text.split(block === undefined ? /[,;]/ : '\n')
  const tags = found.map((tag) =>
    tag
      .replace(/^[\s[\]"'`#*-]+|[\s[\]"'`*]+$/g, '')
      .toLowerCase()
      .slice(0, 40),
  )
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, MOST)
}
