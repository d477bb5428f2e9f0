import { analyseQuery } from '../../../kernel/domain/text/analyse.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'

/** Artificial index terms: they mark properties of a chunk that are not visible in its text. */

/** Marks a session chunk written only by the assistant. */
export const REPLY_MARK = 'assistantonly'
export const REPLY_TERM = stem(REPLY_MARK)

/**
 * Weight of a reply when people ask about themselves: their own statements answer that better. Chosen on BEAM's chats,
 * of .6 to 1, and not the one that gained most, .7: the answer may be a reply.
 */
export const REPLY_WORTH = 0.8

/** Marks a chunk of a test file. */
export const TEST_MARK = 'testsofcode'
export const TEST_TERM = stem(TEST_MARK)

/**
 * Weight of a test file, which repeats everything its source contains, and more often: it ranks second unless the query
 * is about tests.
 */
export const TEST_WORTH = 0.8

const TEST_PATH =
  /(?:^|[/\\])(?:tests?|__tests__|specs?|testing|e2e)[/\\]|(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*(?:[._-](?:test|tests|spec|specs)|Tests?|Spec))\.\w+$/

export const isTestPath = (path: string): boolean => TEST_PATH.test(path)

// No token of a text contains this character.
const NAME = '='
const LONGEST_NAME = 120

/**
 * The term for a name: a document has one for its title and one for its file name, and a query has one for each name
 * that it may refer to. Undefined for a text that is empty or too long for a name.
 */
export function nameTerm(name: string): string | undefined {
  if (name.length > 2 * LONGEST_NAME) return undefined
  const terms = analyseQuery(name).map(({ term }) => term)
  const joined = terms.join(NAME)
  return terms.length === 0 || joined.length > LONGEST_NAME ? undefined : NAME + joined
}

/** Number before a title, as in `ADR-0012: Use Kafka` or `12. Use Kafka`: people search without it. */
const NUMBERED = /^\[?(?:(?:adr|madr|dr|rfc|decision)[-_ #]*)?\d{1,5}\]?(?:\s*[-.:)–—]\s*|\s+)(?=\S)/i

export const withoutNumber = (title: string): string => title.replace(NUMBERED, '')

/** All names of a document. */
export function namesOf(title: string, path: string): readonly string[] {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const bare = file.replace(/\.[^.]+$/, '')
  const names = new Set([title, withoutNumber(title), file, bare, withoutNumber(bare)])
  return [...new Set([...names].flatMap((name) => nameTerm(name) ?? []))]
}
