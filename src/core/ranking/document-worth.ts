import { stem } from '../text/stem.ts'
import type { DocumentFacts } from './indexed-document.ts'
import type { RankedRows } from './rank-documents.ts'

/**
 * What a superseded or retired document counts, so that it stands below what is current. Chosen on Knowl's governance
 * suite: at .3 three of 44 answers still held something stale, at .2 none.
 */
const SUPERSEDED = 0.2

/**
 * It gives way only to something current that covers more than this share of what it covers itself; at .65 the first
 * current fact of Knowl's governance is lost.
 */
const REPLACED_FROM = 0.6
/** A good part of the question; below it a word in common would be enough to bring old things back. */
const ASKED_FOR_FROM = 0.25

export const worthOf = ({ supersededBy }: Pick<DocumentFacts, 'supersededBy'>): number =>
  supersededBy === undefined ? 1 : SUPERSEDED

/**
 * The worth of documents for one question: what is superseded counts in full where nothing current covers the same.
 */
export function worthFor({ size, ownerOf, worth }: RankedRows, coverage: Float32Array): Float32Array {
  if (!worth.includes(Math.fround(SUPERSEDED))) return worth
  let current = 0
  const asked = new Map<number, number>()
  for (let row = 0; row < size; row++) {
    const covered = coverage[row]!
    const owner = ownerOf[row]!
    if (worth[owner] === 1) current = Math.max(current, covered)
    else if (worth[owner]! > 0 && covered >= ASKED_FOR_FROM) asked.set(owner, Math.max(asked.get(owner) ?? 0, covered))
  }
  const unreplaced = [...asked].filter(([, covered]) => current <= REPLACED_FROM * covered)
  if (unreplaced.length === 0) return worth
  const lifted = worth.slice()
  for (const [owner] of unreplaced) lifted[owner] = 1
  return lifted
}

/** A word that marks, in the index, the chunks of a session in which only the assistant speaks. Nobody writes it. */
export const REPLY_MARK = 'assistantonly'
export const REPLY_TERM = stem(REPLY_MARK)

/**
 * What such a chunk counts when people ask about themselves: what they said answers that before what they were told.
 * Chosen on BEAM's chats, of .6 to 1, and not the one that gained most, .7: the answer may be a reply.
 */
export const REPLY_WORTH = 0.8

/** "Which libraries did I want?", "my first sprint"; not "I/O", and not "we", which speaks of the work. */
export const asksAboutOneself = (text: string): boolean => /(?<![\w/-])(?:i|me|my|mine|myself)(?![\w/-])/i.test(text)
