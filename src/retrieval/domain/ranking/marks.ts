import { analyseQuery } from '../../../kernel/domain/text/analyse.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'

/** Words in the index that nobody writes: they say of a chunk what its text does not. */

/** Of a session, and only the assistant speaks in it. */
export const REPLY_MARK = 'assistantonly'
export const REPLY_TERM = stem(REPLY_MARK)

/**
 * What such a chunk counts when people ask about themselves: what they said answers that before what they were told.
 * Chosen on BEAM's chats, of .6 to 1, and not the one that gained most, .7: the answer may be a reply.
 */
export const REPLY_WORTH = 0.8

/** Of a file of tests. */
export const TEST_MARK = 'testsofcode'
export const TEST_TERM = stem(TEST_MARK)

/** A test says everything that the source it tests says, and more often; unless tests are asked for it comes second. */
export const TEST_WORTH = 0.8

const TEST_PATH =
  /(?:^|[/\\])(?:tests?|__tests__|specs?|testing|e2e)[/\\]|(?:^|[/\\])(?:test_[^/\\]*|[^/\\]*(?:[._-](?:test|tests|spec|specs)|Tests?|Spec))\.\w+$/

export const isTestPath = (path: string): boolean => TEST_PATH.test(path)

// No token of a text has this sign.
const NAME = '='
const LONGEST_NAME = 120

/**
 * A term for what is called this: a document has it for its title and its file name, a question for what it asks for.
 * Undefined for a text that is too long for a name, or says nothing.
 */
export function nameTerm(name: string): string | undefined {
  if (name.length > 2 * LONGEST_NAME) return undefined
  const terms = analyseQuery(name).map(({ term }) => term)
  const joined = terms.join(NAME)
  return terms.length === 0 || joined.length > LONGEST_NAME ? undefined : NAME + joined
}

/** `ADR-0012: Use Kafka`, `12. Use Kafka`: the number is not what people ask for. */
const NUMBERED = /^\[?(?:(?:adr|madr|dr|rfc|decision)[-_ #]*)?\d{1,5}\]?(?:\s*[-.:)–—]\s*|\s+)(?=\S)/i

export const withoutNumber = (title: string): string => title.replace(NUMBERED, '')

/** Everything that a document is called. */
export function namesOf(title: string, path: string): readonly string[] {
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const bare = file.replace(/\.[^.]+$/, '')
  const names = new Set([title, withoutNumber(title), file, bare, withoutNumber(bare)])
  return [...new Set([...names].flatMap((name) => nameTerm(name) ?? []))]
}
