import { sha256 } from '../../kernel/domain/sha256.ts'
import { isListedFile } from './record-path.ts'

/** A file that was changed on two machines in ways that cannot be joined. */
export interface ConflictPlace {
  readonly path: string
  /** The file with the losing text. */
  readonly kept: string
}

const QUESTION =
  /^Two machines changed (.+) in ways that cannot be joined\. It says what the team had first; the other text is in (context\/kept-[^/]+\.md)\. Which holds\?$/

/** The question for a person, from which `conflictIn` finds both texts again. */
export const conflictQuestion = ({ path, kept }: ConflictPlace): string =>
  `Two machines changed ${path} in ways that cannot be joined. It says what the team had first; the other text is in ${kept}. Which holds?`

/** Undefined if the question is about something else. The text of a question is not trusted. */
export function conflictIn(question: string): ConflictPlace | undefined {
  const [, path, kept] = QUESTION.exec(question) ?? []
  return path === undefined || kept === undefined || !isListedFile(path) ? undefined : { path, kept }
}

/** The file that keeps the losing text in full, so that people and searches find it. */
export function keptFile(path: string, text: string): { readonly kept: string; readonly content: string } {
  const name = path.slice(path.lastIndexOf('/') + 1, -'.md'.length)
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return {
    kept: `context/kept-${name}-${sha256(text).slice(0, 8)}.md`,
    content:
      `# Another text of ${path}\n\nTwo machines changed it in ways that cannot be joined. This one does not stand.\n\n` +
      `${fence}markdown\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`,
  }
}

/** The text in a file of `keptFile`; undefined if the file has another form. */
export function keptText(content: string): string | undefined {
  const [, fence] = /^(`{3,})markdown\n/m.exec(content) ?? []
  if (fence === undefined) return undefined
  const from = content.indexOf(`${fence}markdown\n`) + fence.length + 'markdown\n'.length
  const end = content.lastIndexOf(`\n${fence}`)
  return end < from ? undefined : content.slice(from, end + 1)
}
