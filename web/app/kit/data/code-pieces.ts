import { StandardSQL } from '@codemirror/lang-sql'
import { yamlLanguage } from '@codemirror/lang-yaml'
import { highlightCode, tagHighlighter, tags } from '@lezer/highlight'

export interface CodePiece {
  readonly text: string
  /** CSS class; empty for plain text. */
  readonly kind: string
}

/** Splits a text into tokens, with the editor's grammar. */
export function piecesOf(text: string, language: 'sql' | 'yaml'): readonly CodePiece[] {
  const parser = (language === 'sql' ? StandardSQL.language : yamlLanguage).parser
  const pieces: CodePiece[] = []
  highlightCode(
    text,
    parser.parse(text),
    KINDS,
    (piece, kind) => pieces.push({ text: piece, kind }),
    () => pieces.push({ text: '\n', kind: '' }),
  )
  return pieces
}

const KINDS = tagHighlighter([
  { tag: [tags.keyword, tags.operatorKeyword], class: 'keyword' },
  { tag: [tags.string, tags.special(tags.string)], class: 'string' },
  { tag: [tags.number, tags.bool, tags.null, tags.typeName, tags.propertyName], class: 'value' },
  { tag: tags.comment, class: 'comment' },
])
