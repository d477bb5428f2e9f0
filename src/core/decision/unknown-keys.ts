import { FRONTMATTER_KEYS, RESERVED_KEYS } from './decision.ts'
import { readFrontmatter } from './frontmatter.ts'

const KNOWN = new Set<unknown>([...FRONTMATTER_KEYS, ...RESERVED_KEYS])

/** Takes keys that are none of the ten out of a file's frontmatter; everything else stays as it is. */
export function splitUnknownKeys(text: string): { text: string; unknown: Record<string, unknown> } {
  const { values, body } = readFrontmatter(text)
  const unknown = Object.fromEntries([...values].filter(([key]) => typeof key === 'string' && !KNOWN.has(key)))
  const frontmatter = text.slice(4, text.length - body.length - 5)
  const kept: string[] = []
  let dropping = false
  for (const line of frontmatter.split('\n')) {
    const key = /^("?)([^\s:"'#-][^:]*?)\1:(?:\s|$)/.exec(line)?.[2]
    if (key !== undefined) dropping = key in unknown
    if (!dropping) kept.push(line)
  }
  return { text: `---\n${kept.map((line) => `${line}\n`).join('')}---\n${body}`, unknown }
}
