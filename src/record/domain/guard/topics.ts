import { decisionTokens, QUERY_STOP_WORDS } from '../../../kernel/domain/text/decision-tokens.ts'
import { GENERIC, pieces } from '../names/words.ts'
import type { AddedLine, Changed } from './added-lines.ts'
import { fileKind } from './file-kind.ts'

/** Subject of an added line, to be searched in the record. */
export interface Topic {
  readonly kind: 'package' | 'comment' | 'name'
  /** As spelled in the diff, for the reader. */
  readonly spelled: string
  /** As searched in the record. */
  readonly query: string
  readonly file: string
  readonly line: number | null
}

const MOST_TOPICS = 200
const MOST_COMMENT_WORDS = 40
const ORDER = ['package', 'comment', 'name'] as const

/**
 * Topics of a diff, packages first: each package it adds, each comment, and each declared name or new file name of
 * several words.
 */
export function diffTopics(files: readonly Changed[], lines: readonly AddedLine[]): { topics: Topic[]; left: number } {
  const all = [
    ...lines.flatMap(packageTopics),
    ...commentTopics(lines),
    ...lines.flatMap(nameTopics),
    ...files.flatMap(fileTopics),
  ]
  const distinct = [...new Map(all.toReversed().map((topic) => [topic.query.toLowerCase(), topic])).values()].reverse()
  const ordered = ORDER.flatMap((kind) => distinct.filter((topic) => topic.kind === kind))
  return { topics: ordered.slice(0, MOST_TOPICS), left: Math.max(0, ordered.length - MOST_TOPICS) }
}

/** The distinctive stems of a text. */
export const tellingStems = (text: string): Set<string> => new Set(decisionTokens(tellingWords(text).join(' ')))

const tellingWords = (text: string): string[] =>
  text
    .split(/[^\p{L}\p{N}_]+/u)
    .filter((word) => word !== '' && !GENERIC.has(word.toLowerCase()) && !QUERY_STOP_WORDS.has(word.toLowerCase()))

const words = (text: string): string =>
  pieces(text)
    .map((piece) => piece.lower)
    .join(' ')

const packageTopics = ({ packages, file, line }: AddedLine): Topic[] =>
  packages
    .map((name) => ({ kind: 'package' as const, spelled: name, query: packageWords(name), file, line }))
    .filter(isTelling(1))

/** The package name without its host; a name is kept in one piece (`argon2`), as people write it. */
const packageWords = (name: string): string =>
  name
    .replace(/^@types\//, '')
    .replace(/^(?:[\w-]+\.)+[a-z]{2,}\//, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Topics of comments; consecutive comment lines are one comment. */
function commentTopics(lines: readonly AddedLine[]): Topic[] {
  const blocks: { first: AddedLine; last: number; text: string }[] = []
  for (const each of lines) {
    if (each.via !== 'comment') continue
    const open = blocks.at(-1)
    const text = each.text
      .replace(/^\s*(?:\/\/+|\/?\*+\/?!?|#+|--+|;;+|<!--|"""|''')\s?/, '')
      .replace(/(?:\*\/|-->|"""|''')\s*$/, '')
      .trim()
    if (open !== undefined && open.first.file === each.file && open.last + 1 === each.line) {
      open.last = each.line
      open.text += ` ${text}`
    } else blocks.push({ first: each, last: each.line, text })
  }
  return blocks
    .map(({ first, text }) => ({
      kind: 'comment' as const,
      spelled: text,
      query: tellingWords(text).slice(0, MOST_COMMENT_WORDS).join(' '),
      file: first.file,
      line: first.line,
    }))
    .filter(isTelling(3))
}

const DECLARED =
  /\b(?:function|class|interface|type|enum|trait|struct|def|fn|func|module|const|let|var|val|object|protocol|table|view|resource)\s+(?:\([^)]*\)\s*)?["'`]?([A-Za-z_][\w.]*)/i

function nameTopics({ text, via, file, line }: AddedLine): Topic[] {
  const name = via === 'code' ? DECLARED.exec(text)?.[1] : undefined
  return name === undefined
    ? []
    : [{ kind: 'name' as const, spelled: name, query: words(name), file, line }].filter(isTelling(2))
}

function fileTopics({ path, status }: Changed): Topic[] {
  if (status !== 'added' || fileKind(path) !== 'code') return []
  return [
    {
      kind: 'name' as const,
      spelled: path,
      query: words(
        path
          .replace(/\.\w+$/, '')
          .split('/')
          .slice(-2)
          .join(' '),
      ),
      file: path,
      line: null,
    },
  ].filter(isTelling(2))
}

const isTelling =
  (least: number) =>
  (topic: Topic): boolean =>
    tellingStems(topic.query).size >= least
