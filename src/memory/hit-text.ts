import { operationNamed } from '../kernel/domain/named-operation.ts'
import { redactPart, redactWithin } from '../kernel/domain/secrets/redact-part.ts'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import type { QueryTerm } from '../kernel/domain/text/analyse.ts'
import { joinRanges, type JoinedRange } from '../kernel/domain/text/join-ranges.ts'
import { densestPart, LONGEST_PIECE, snippetOf } from '../kernel/domain/text/snippet.ts'
import { readLines, type TextLines } from '../kernel/domain/text/text-lines.ts'
import { TURN } from '../retrieval/domain/chunking/chunk-conversation.ts'
import { personEvidence, type PersonEvidence, type WeighedTerm } from '../retrieval/domain/ranking/speakers.ts'
import { chunkDocument } from './domain/document/analyse-document.ts'
import { noteEntry } from './domain/note/note-entries.ts'
import { readOwnerLine } from './domain/note/note-owner.ts'
import { exchangeSnippet, folded, type WorthOf } from './domain/session/exchange-snippet.ts'
import { KEPT_DAYS } from './domain/upkeep/upkeep-rules.ts'
import type { Documents } from './ports/documents.ts'
import type { MemoryHit } from './ports/memory.ts'
import type { IndexHit, StoredChunk, StoredDocument } from './ports/search-index.ts'

export interface JudgedHit extends IndexHit {
  readonly verdict: MemoryHit['verdict']
  /** Sessions with the same content. */
  readonly repeats?: readonly IndexHit[]
}

// In characters. The answer is usually in the first hit, often in several sentences or a further part; the other hits
// show enough to decide whether to read them.
const LONGEST_EXCHANGE = { first: 700, other: 200 }
const LONGEST_FURTHER = 240
/** Further parts of the first hit with a text; the others have only their position. */
const FURTHER_WITH_TEXT = 2

/** A hit for display, with the lines of its file most relevant to the query. */
export async function showHit(
  documents: Pick<Documents, 'text' | 'stamp'> & { author?(document: StoredDocument): string | undefined },
  hit: JudgedHit,
  {
    terms,
    worthOf,
    isFirst,
  }: { readonly terms: readonly QueryTerm[]; readonly worthOf: WorthOf; readonly isFirst: boolean },
): Promise<MemoryHit> {
  const { document, chunk, parts, score, coverage, cosine, verdict } = hit
  const author = documents.author?.(document)
  const chunks = verdict === 'weak' ? [chunk] : [chunk, ...parts]
  const words = terms.map(({ word }) => word)
  const [best, ...further] = shownParts(documents, document, { chunks, words })
  const snippet = async ({ text, reply }: Pick<ShownPart, 'text' | 'reply'>, longest: number): Promise<string> =>
    document.origin === 'session'
      ? exchangeSnippet({ text, title: document.title, ...(reply !== undefined && { reply }) }, worthOf, longest)
      : snippetOf(text, terms, longest).text
  return {
    id: document.key,
    path: document.path,
    collection: document.collection,
    title: document.title,
    heading: best!.heading,
    startLine: best!.startLine,
    endLine: best!.endLine,
    snippet: await snippet(
      best!,
      document.origin === 'session' ? LONGEST_EXCHANGE[isFirst ? 'first' : 'other'] : LONGEST_PIECE,
    ),
    parts: await Promise.all(
      further.map(async ({ startLine, endLine, text }, at) => ({
        startLine,
        endLine,
        snippet: isFirst && at < FURTHER_WITH_TEXT ? await snippet({ text }, LONGEST_FURTHER) : '',
      })),
    ),
    score: Math.round(score * 1000) / 1000,
    verdict,
    foundBy: cosine === null || cosine <= 0 ? 'words' : coverage > 0 ? 'both' : 'meaning',
    origin: document.origin,
    trust: document.trust,
    workspace: document.workspace,
    project: document.project,
    tags: document.tags,
    modified: new Date(document.modified),
    superseded: document.superseded,
    ...(author !== undefined && { author }),
    ...(documents.text(document) === undefined && { isUnavailable: true }),
    ...(hit.repeats !== undefined && { repeats: hit.repeats.map((one) => one.document.key) }),
  }
}

// Roughly the input of a cross-encoder with 512 tokens.
const LONGEST_PASSAGE = 2_000

/** The text of a hit given to a reranker. */
export function passageOf(documents: Pick<Documents, 'text' | 'stamp'>, { document, chunk }: IndexHit): string {
  const [part] = shownParts(documents, document, { chunks: [chunk], words: [] })
  return [document.title, part!.heading, part!.text]
    .filter((line) => line !== '')
    .join('\n')
    .slice(0, LONGEST_PASSAGE)
}

/**
 * Whether a hit contains a text verbatim, ignoring whitespace. Nothing is shown, so nothing is redacted: the words of a
 * secret are not in the index, and no hit has all of them.
 */
export function isVerbatim(
  documents: Pick<Documents, 'text' | 'stamp'>,
  { document, chunk }: IndexHit,
  wording: string,
): boolean {
  const text = documents.text(document)
  if (text === undefined) return false
  const own = document.entry === undefined ? text : (noteEntry(text, document.entry)?.text ?? '')
  const lines = readLines(own)
  const last = Math.min(chunk.endLine, lines.count)
  return (
    chunk.startLine <= last &&
    folded(own.slice(lines.start(chunk.startLine - 1), lines.start(last))).includes(folded(wording))
  )
}

/** The person named in a query, in the conversation of a hit; undefined for an exact wording, which is what was meant. */
export function personIn(
  documents: Pick<Documents, 'text' | 'stamp'>,
  hit: IndexHit,
  query: { readonly text: string; readonly names: ReadonlySet<string>; readonly terms: readonly WeighedTerm[] },
): PersonEvidence | undefined {
  const text = documents.text(hit.document)
  if (text === undefined || (hit.hasAllWords && isVerbatim(documents, hit, query.text))) return undefined
  const [range] = rangesNow(documents, hit.document, { text, chunks: [hit.chunk] })
  return range && personEvidence(text, range, query)
}

interface ShownPart extends Omit<StoredChunk, 'id'> {
  readonly text: string
  /** The user's next message, in a session. */
  readonly reply?: string
}

/**
 * The lines of chunks, best first, adjacent ones merged, in sessions only within an exchange; redacted before
 * truncation. Of a line that is far longer than a chunk, the part with the most of the words. If the file changed since
 * it was indexed, the part under the same heading is used, or the nearest.
 */
function shownParts(
  documents: Pick<Documents, 'text' | 'stamp'>,
  document: StoredDocument,
  { chunks, words }: { readonly chunks: readonly StoredChunk[]; readonly words: readonly string[] },
): ShownPart[] {
  const text = documents.text(document)
  const now = text === undefined ? [] : rangesNow(documents, document, { text, chunks })
  // Each exchange of a session has its own question and time, and its own heading.
  const groups = document.origin === 'session' ? Map.groupBy(now, ({ heading }) => heading).values() : [now]
  const ranges = [...groups].flatMap(joinRanges)
  if (text === undefined || ranges.length === 0)
    return [
      {
        ...chunks[0]!,
        text: `The file cannot be read now. If it was deleted, ${operationNamed('memory_update')} removes it from the index; if its folder is missing, it stays for ${KEPT_DAYS} days.`,
      },
    ]
  const lines = readLines(text)
  return ranges.map((range) => {
    const part = cleanPart(text, [lines.start(range.startLine - 1), lines.start(range.endLine)], words)
    const reply = document.origin === 'session' ? replyAfter(lines, range.endLine) : undefined
    return {
      ...range,
      text: document.entry === undefined ? part : withoutHead(part, range),
      ...(reply !== undefined && { reply: cleanPart(text, [lines.start(reply.from), lines.start(reply.to)], []) }),
    }
  })
}

/** In characters. Only lines that are spread over many chunks are longer than all parts of a hit together. */
const LONGEST_SHOWN = 40_000
const SHOWN_OF_LONGER = 4_000
/** Characters before the first word, so that a reader sees where it is. */
const BEFORE_WORD = 80

function cleanPart(text: string, [from, to]: readonly [number, number], words: readonly string[]): string {
  if (to - from <= LONGEST_SHOWN) return redactPart(text, from, to)
  const first = Math.max(from, from + densestPart(text.slice(from, to), words, SHOWN_OF_LONGER) - BEFORE_WORD)
  return redactWithin(text, first, Math.min(to, first + SHOWN_OF_LONGER))
}

/** The user's message right after some lines of a session. */
function replyAfter(lines: TextLines, endLine: number): { from: number; to: number } | undefined {
  let at = endLine
  while (at < lines.count && lines.line(at).trim() === '') at++
  if (at >= lines.count || TURN.exec(lines.line(at))?.[1] !== 'User') return undefined
  let from = at + 1
  while (from < lines.count && lines.line(from).startsWith('> ')) from++
  let to = from
  while (to < lines.count && !TURN.test(lines.line(to))) to++
  return { from, to }
}

/** Current positions of chunks in the file. */
function rangesNow(
  documents: Pick<Documents, 'stamp'>,
  document: StoredDocument,
  { text, chunks }: { readonly text: string; readonly chunks: readonly StoredChunk[] },
): Omit<StoredChunk, 'id'>[] {
  const stamp = document.entry === undefined ? documents.stamp(document.path) : undefined
  if (stamp?.size === document.size && stamp.mtime === document.mtime) return [...chunks]
  const { now, before } = asIndexed(document, text)
  const cut = chunkDocument(document, now)
  return chunks.flatMap((chunk) => {
    const distance = (startLine: number) => Math.abs(startLine - chunk.startLine)
    const [nearest] = cut.toSorted(
      (a, b) =>
        Number(b.heading === chunk.heading) - Number(a.heading === chunk.heading) ||
        distance(a.startLine) - distance(b.startLine),
    )
    if (nearest === undefined) return []
    const { startLine, endLine, heading } = nearest
    return [{ startLine: startLine + before, endLine: endLine + before, heading }]
  })
}

/**
 * Text that contains a document under its indexed name, and the number of lines before it. A note with a secret in its
 * heading is named after the redacted text; other notes are found without redacting the whole file.
 */
function asIndexed({ entry }: StoredDocument, text: string): { now: string; before: number } {
  const found = entry === undefined ? undefined : noteEntry(text, entry)
  if (found !== undefined) return { now: text, before: found.line - 1 }
  const now = redactSecrets(text).text
  return { now, before: entry === undefined ? 0 : (noteEntry(now, entry)?.line ?? 1) - 1 }
}

/** Removes the heading and owner line of a note: the heading is its time, and the owner is part of the hit. */
const withoutHead = (text: string, { heading }: JoinedRange): string =>
  text
    .split('\n')
    .filter((line, at) => !(at === 0 && heading !== '' && /^#{1,3} /.test(line)) && readOwnerLine(line) === undefined)
    .join('\n')
