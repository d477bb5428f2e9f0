import {
  appendInflections,
  appendTerm,
  appendTokens,
  newTokenList,
  type TokenList,
} from '../../../kernel/domain/text/analyse.ts'
import { chunkCode } from '../../../retrieval/domain/chunking/chunk-code.ts'
import { chunkConversation } from '../../../retrieval/domain/chunking/chunk-conversation.ts'
import { chunkMarkdown } from '../../../retrieval/domain/chunking/chunk-markdown.ts'
import type { CodeOutline } from '../../../retrieval/domain/chunking/code-outline.ts'
import { chunkLines, type Chunk } from '../../../retrieval/domain/chunking/cut-chunks.ts'
import type { ChunkFacts, DocumentFacts } from '../../../retrieval/domain/ranking/indexed-document.ts'
import { isTestPath, namesOf, REPLY_MARK, TEST_MARK } from '../../../retrieval/domain/ranking/marks.ts'
import { noteFacts, noteText } from '../note/note-facts.ts'
import { stateFacts } from './document-facts.ts'

/** Document facts known before it is read. */
export type DocumentPlace = Pick<
  DocumentFacts,
  'collection' | 'path' | 'entry' | 'origin' | 'trust' | 'workspace' | 'project' | 'size' | 'mtime' | 'hash'
>

export interface AnalysedDocument {
  readonly facts: DocumentFacts
  readonly chunks: readonly ChunkFacts[]
  /** Set for source code that could be parsed. */
  readonly outline: CodeOutline | undefined
}

// Used again for every chunk.
const tokens = newTokenList()

/**
 * Extracts everything the index needs from a document; `take` receives the tokens of each chunk, and the text to embed
 * for it. `outline` is set for code that could be parsed.
 */
export function analyseDocument(
  place: DocumentPlace,
  text: string,
  { take, outline }: { take: (tokens: TokenList, toEmbed: () => string) => void; outline?: CodeOutline | undefined },
): AnalysedDocument {
  const { origin, path, entry, mtime } = place
  const stated = origin === 'code' || origin === 'note' ? undefined : stateFacts(text, { isProse: PROSE.has(origin) })
  const note = origin === 'note' && entry !== undefined ? noteFacts(text, { path, entry, mtime }) : undefined
  const title = stated?.title ?? (note?.title || fileName(path))
  const chunks = chunkDocument(place, text, outline)
  const name = `${title} ${place.origin === 'code' ? place.path.slice(-120) : ''}`
  const names = namesOf(title, place.path)
  const isTest = place.origin === 'code' && isTestPath(place.path)
  const lengths = chunks.map((chunk, at) => {
    tokens.size = 0
    for (const text of [chunk.text, headingBeyond(chunk.heading, title), name]) appendTokens(text, tokens)
    const length = tokens.size
    appendInflections(tokens)
    if (chunk.isReply) appendTokens(REPLY_MARK, tokens)
    if (isTest) appendTokens(TEST_MARK, tokens)
    if (at === 0) for (const term of names) appendTerm(term, tokens)
    take(tokens, () => textToEmbed(title, chunk.heading, chunk.text))
    return length
  })
  return {
    facts: {
      ...place,
      tags: stated?.tags ?? [],
      modified: stated?.modified ?? Math.round(mtime),
      superseded: stated?.superseded,
      ...note,
      title,
    },
    chunks: chunks.map(({ startLine, endLine, heading }, i) => ({ startLine, endLine, heading, length: lengths[i]! })),
    outline,
  }
}

/** Origins that may state a status in their text; in a conversation such lines are quotations. */
const PROSE: ReadonlySet<string> = new Set(['decision', 'document', 'context'])

/**
 * Deterministic for the same text: a chunk's lines are computed again for its vector or its snippet. `text` is the
 * file's text; the chunks of a note count their lines from its heading, and a note file has no chunks except those of
 * its notes.
 */
export function chunkDocument(
  place: Pick<DocumentPlace, 'origin' | 'path' | 'entry'>,
  text: string,
  outline?: CodeOutline,
): Chunk[] {
  if (place.origin === 'note') return place.entry === undefined ? [] : chunkMarkdown(noteText(text, place.entry))
  if (place.origin === 'session') return chunkConversation(text)
  if (place.origin !== 'code' || /\.(?:md|mdx|markdown)$/i.test(place.path)) return chunkMarkdown(text)
  return outline === undefined ? chunkLines(text) : chunkCode(text, outline.definitions)
}

/**
 * Text to embed for a chunk: a few words of context make a fragment understandable. A heading that is only a time is
 * left out: the model reads its digits as words, which moved the cosine of a one-line note between .19 and .41.
 */
export function textToEmbed(title: string, heading: string, text: string): string {
  const parts = [title, headingBeyond(heading, title), text].map((part) => part.replace(TIME_LINE, ''))
  return parts.filter((part) => part !== '').join('\n')
}
const TIME_LINE = /^(?:#{1,6} )?\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z?$/gm

/** The headings below the title, without the title itself. */
const headingBeyond = (heading: string, title: string): string =>
  heading === title ? '' : heading.startsWith(`${title} › `) ? heading.slice(title.length + 3) : heading

const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/\.(?:md|mdx|markdown)$/i, '')
