import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { siteFiles } from '../scripts/docs-site.ts'

const ROOT = resolve(import.meta.dirname, '..')

/** A `ken` command on a page, with its line number. */
export interface DocsCommand {
  readonly page: string
  readonly line: number
  readonly words: readonly string[]
  /** A command in a code block must be complete. A sentence may name a command with only one of its options. */
  readonly isWhole: boolean
}

// One has example operations, which test/extending.slow.test.ts follows; the other has former commands.
const OTHERS: readonly string[] = ['docs/extending.md', 'CHANGELOG.md']

export const docsCommands = (): DocsCommand[] =>
  [...siteFiles(), 'integrations/README.md'].filter((path) => !OTHERS.includes(path)).flatMap(commandsOf)

function commandsOf(page: string): DocsCommand[] {
  const found: DocsCommand[] = []
  let fence: string | undefined
  let held: { line: number; text: string } | undefined
  for (const [at, text] of readFileSync(join(ROOT, page), 'utf8').split('\n').entries()) {
    const mark = /^\s*```(\w*)/.exec(text)
    if (mark !== null) {
      fence = fence === undefined ? mark[1]! : undefined
      held = undefined
    } else if (fence === undefined)
      for (const [, code] of text.matchAll(/`([^`]+)`/g))
        found.push(...kenIn(code!, { page, line: at + 1, isWhole: false }))
    else if (fence === 'sh' || fence === '') {
      held = held === undefined ? { line: at + 1, text } : { line: held.line, text: `${held.text} ${text.trim()}` }
      if (isOpen(held.text)) held.text = held.text.replace(/\\$/, '')
      else {
        found.push(...kenIn(held.text, { page, line: held.line, isWhole: true }))
        held = undefined
      }
    }
  }
  return found
}

/** Whether a command continues on the next line. */
const isOpen = (text: string): boolean =>
  text.endsWith('\\') || (/^(?:\$ )?ken /.test(text) && (text.replaceAll('\\"', '').match(/"/g) ?? []).length % 2 === 1)

/** `ken` commands in a shell line. */
function kenIn(text: string, place: Omit<DocsCommand, 'words'>): DocsCommand[] {
  return pipelines(text.trim().replace(/^\$ /, '')).flatMap((words) => {
    const from = words[0] === 'npx' ? words.findIndex((word) => /^(?:ken|kenbase)$/.test(word)) : assignments(words)
    return from >= 0 && /^(?:ken|kenbase)$/.test(words[from] ?? '') ? [{ ...place, words: words.slice(from + 1) }] : []
  })
}

/** Settings before a command: `KEN_HOME=x ken status`. */
const assignments = (words: readonly string[]): number => words.findIndex((word) => !/^[A-Z_]+=/.test(word))

/** Words of each command, up to a comment, a redirection or a substitution. */
function pipelines(text: string): string[][] {
  const commands: string[][] = [[]]
  const pattern =
    /"((?:[^"\\]|\\.)*)"|'([^']*)'|(<[^<>]*>)|(#.*$)|(\|\|?|&&|;|&)|([<>]{1,2}&?\s*\S+)|([^\s"'|;&]+(?:"[^"]*"|'[^']*')?)/g
  for (const [, double, single, placeholder, comment, end, redirection, word] of text.matchAll(pattern)) {
    if (comment !== undefined) break
    if (end !== undefined) commands.push([])
    else if (redirection !== undefined) continue
    else
      commands.at(-1)!.push((double?.replaceAll('\\"', '"') ?? single ?? placeholder ?? word)!.replaceAll(/["']/g, ''))
  }
  return commands
}
