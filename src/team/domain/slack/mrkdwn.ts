import { outsideFences } from '../../../kernel/domain/text/markdown-fences.ts'
import { isTableRule } from '../../../kernel/domain/text/table-lines.ts'

/**
 * Markdown as Slack's mrkdwn. Every `&`, `<` and `>` of the text is escaped, so that nothing in it can mention anyone
 * or become a link; links are created here, and only to https addresses.
 */
export function toMrkdwn(markdown: string): string {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n')
  const outside = outsideFences(lines)
  const out: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (!outside[at]) out.push(FENCE.test(line) ? '```' : escaped(line))
    else if (isRow(line) && isTableRule(lines[at + 1] ?? '')) {
      const rows = lines.slice(at).findIndex((one) => !isRow(one))
      const end = rows < 0 ? lines.length : at + rows
      out.push(
        '```',
        ...lines
          .slice(at, end)
          .filter((one) => !isTableRule(one))
          .map(tableLine),
        '```',
      )
      at = end - 1
    } else out.push(lineOf(line))
  }
  return out.join('\n')
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A link, or only its text if the address is not https. */
export function linkTo(address: string, words: string, form = SAFE): string {
  if (!form.test(address)) return escaped(words)
  // No character in the address may end the link.
  const href = escaped(address.replaceAll(/[<>|"]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`))
  return `<${href}|${escaped(words.replaceAll('|', '/')) || href}>`
}

const SAFE = /^https:\/\/[a-z0-9.-]+(?::\d{1,5})?(?:[/?#]\S*)?$/i

const FENCE = /^\s*(?:`{3,}|~{3,})/
const isRow = (line: string): boolean => line.trimStart().startsWith('|')
// A backtick in a cell could end its code block.
const tableLine = (line: string): string => escaped(line.trim().replaceAll('`', '’'))

function lineOf(line: string): string {
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)
  if (heading !== null) return heading[1] === '' ? '' : `*${escaped(heading[1]!.replaceAll(/[*_`]/g, ''))}*`
  if (line.startsWith('>')) return `> ${inline(line.slice(1).trimStart())}`
  const [, indent, rest] = /^(\s*)[-*+]\s+(.*)$/.exec(line) ?? []
  return rest === undefined ? inline(line) : `${indent}• ${inline(rest)}`
}

const INLINE =
  /(?<code>`[^`\n]+`)|!?\[(?<words>[^[\]\n]*)\]\((?<address>[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)\)|(?<bare>https:\/\/[^\s<>|()`*]+)|\*\*(?<bold>[^*\n]+)\*\*|__(?<strong>[^_\n]+)__|~~(?<gone>[^~\n]+)~~|(?<![\w*])\*(?<light>[^*\s][^*\n]*)\*(?![\w*])/g

function inline(text: string): string {
  let from = 0
  const parts: string[] = []
  for (const found of text.matchAll(INLINE)) {
    parts.push(escaped(text.slice(from, found.index)), piece(found.groups!))
    from = found.index + found[0].length
  }
  return parts.join('') + escaped(text.slice(from))
}

function piece({ code, words, address, bare, bold, strong, gone, light }: Record<string, string | undefined>): string {
  if (code !== undefined) return escaped(code)
  if (address !== undefined) return linkTo(address, words ?? '')
  if (bare !== undefined) return linkTo(bare, bare)
  if (gone !== undefined) return `~${escaped(gone)}~`
  if (light !== undefined) return `_${escaped(light)}_`
  return `*${escaped(bold ?? strong ?? '')}*`
}
