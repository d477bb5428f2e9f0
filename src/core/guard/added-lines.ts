import { runs } from '../names/words.ts'
import { dependenciesIn } from './dependencies.ts'
import { fileKind } from './file-kind.ts'
import { importIn } from './imports.ts'

/** What of a changed file is judged. */
export interface Changed {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly previousPath: string | undefined
  readonly added: readonly { readonly line: number; readonly text: string }[]
  readonly removed: readonly string[]
}

/** An added line that can be judged. */
export interface AddedLine {
  readonly file: string
  readonly line: number
  readonly text: string
  readonly via: 'dependency' | 'import' | 'code' | 'comment'
  /** The packages it brings in, without those that the same file had before. */
  readonly packages: readonly string[]
  /** Runs of words on lines that the same change takes away: what is only moved or edited does not come back. */
  readonly removed: ReadonlySet<string>
}

/** A longer line is data or a program's output; no person named anything in it. */
const LONGEST_LINE = 500

/** The added lines of a file worth judging: none of lock files, generated files, prose and the record itself. */
export function addedLines(file: Changed): AddedLine[] {
  const kind = fileKind(file.path)
  if (kind === 'ignored') return []
  const packagesIn = (text: string) =>
    kind === 'manifest' ? dependenciesIn(file.path, text) : [importIn(file.path, text) ?? []].flat()
  const before = new Set(file.removed.flatMap(packagesIn))
  const removed = new Set(file.removed.flatMap((text) => runs(text).map((run) => run.key)))
  return file.added
    .filter(({ text }) => text.trim() !== '' && text.length <= LONGEST_LINE)
    .map(({ line, text }) => {
      const named = packagesIn(text)
      const via =
        kind === 'manifest' ? 'dependency' : named.length > 0 ? 'import' : isComment(text) ? 'comment' : 'code'
      return { file: file.path, line, text, via, packages: named.filter((name) => !before.has(name)), removed }
    })
}

/** A line that holds nothing but a comment, or part of one. */
const isComment = (text: string): boolean =>
  /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|else|endif|\[))|--\s|;;|<!--|"""|''')/.test(text)
