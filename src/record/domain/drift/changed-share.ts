import { withoutBlocks } from '../../../kernel/domain/text.ts'

const HASH_COMMENTS =
  /\.(?:py|pyi|rb|sh|bash|zsh|ya?ml|toml|tf|hcl|ex|exs|pl|r|mk|conf|cfg|ini|properties)$|(?:^|\/)(?:Dockerfile[^/]*|Makefile|Gemfile|\.env[^/]*)$/i
const DASH_COMMENTS = /\.(?:sql|lua|hs|elm)$/i
const SLASH_COMMENTS =
  /\.(?:[cm]?[jt]sx?|java|kt|kts|scala|go|rs|c|cc|cpp|h|hpp|cs|swift|dart|php|groovy|gradle|s[ac]ss|less|css|vue|svelte|proto|jsonc)$/i
const MARKUP = /\.(?:html?|xml|vue|svelte|md|mdx)$/i
const MOST_LINES = 50_000

/**
 * The lines of a text, ignoring formatting and comments: spaces, quotes, trailing commas and semicolons, brackets alone
 * on a line.
 */
export function tellingLines(path: string, text: string): string[] {
  return withoutComments(path, text)
    .split('\n', MOST_LINES)
    .map((line) =>
      line
        .replaceAll(/\s+/g, '')
        .replaceAll(/["'`]/g, '"')
        .replace(/[,;]+$/, ''),
    )
    .filter((line) => /[\p{L}\p{N}]/u.test(line))
}

/** For each old line, whether it is missing from the new text; a new line matches only one old line. */
export function lostLines(before: readonly (readonly string[])[], after: readonly string[]): boolean[][] {
  const left = new Map<string, number>()
  for (const line of after) left.set(line, (left.get(line) ?? 0) + 1)
  return before.map((lines) =>
    lines.map((line) => {
      const count = left.get(line) ?? 0
      if (count > 0) left.set(line, count - 1)
      return count === 0
    }),
  )
}

/**
 * Clears lost lines that were only reformatted. A formatter may split or join lines, so each is searched for in the
 * whole text, together with its neighbours if it is short.
 */
export function withoutReset(
  before: readonly (readonly string[])[],
  lost: readonly (readonly boolean[])[],
  after: readonly string[],
): boolean[][] {
  const flow = bare(after.join(''))
  return before.map((lines, file) => {
    const plain = lines.map(bare)
    return lines.map(
      (_, i) => lost[file]![i]! && !flow.includes(reach(plain, i, 1)) && !flow.includes(reach(plain, i, -1)),
    )
  })
}

// Shorter stretches occur in any text.
const SHORTEST = 24

function reach(lines: readonly string[], from: number, step: 1 | -1): string {
  let text = lines[from]!
  for (let at = from + step; text.length < SHORTEST && at >= 0 && at < lines.length; at += step)
    text = step === 1 ? text + lines[at]! : lines[at]! + text
  return text
}

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}_$+\-*/=<>!&|.]+/gu, '')

/** A text without its comments, by the language of its file. */
export function withoutComments(path: string, text: string): string {
  let rest = text
  if (SLASH_COMMENTS.test(path)) rest = withoutBlocks(rest, '/*', '*/').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
  if (MARKUP.test(path)) rest = withoutBlocks(rest, '<!--', '-->')
  if (HASH_COMMENTS.test(path)) rest = rest.replaceAll(/(^|\s)#(?!!)[^\n]*/g, '$1')
  if (/\.pyi?$/.test(path)) rest = withoutDocstrings(rest)
  if (DASH_COMMENTS.test(path)) rest = rest.replaceAll(/(^|\s)--[^\n]*/g, '$1')
  return rest
}

const withoutDocstrings = (text: string): string =>
  text
    .split('"""')
    .filter((_, i, all) => i % 2 === 0 || i === all.length - 1)
    .join('')
