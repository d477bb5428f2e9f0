import { analyseQuery, type QueryTerm } from '../../../kernel/domain/text/analyse.ts'
import { nameTerm } from './marks.ts'

/** Clues about the target of a query in its wording. */
export interface ReadQuestion {
  readonly terms: readonly QueryTerm[]
  /** Terms of the names that the query may refer to: an exact match ranks first. */
  readonly names: readonly string[]
  /** The user asks about themselves, so their own statements rank above the agent's replies. */
  readonly aboutAsker: boolean
  readonly aboutTests: boolean
  /** One word that occurs only in code: matched by its letters if any chunk has it, not by meaning. */
  readonly isIdentifier: boolean
}

export function readQuestion(text: string): ReadQuestion {
  const terms = analyseQuery(text)
  const asked = withoutFrame(text)
  return {
    terms,
    names: [...new Set([text, asked].flatMap((name) => nameTerm(name) ?? []))],
    aboutAsker: /(?<![\w/-])(?:i|me|my|mine|myself)(?![\w/-])/i.test(text),
    aboutTests:
      /(?<![\w])(?:tests?|tested|testing|specs?|coverage|fixtures?|mock(?:s|ed)?)(?![\w])|[._-](?:test|spec)\b/i.test(
        text,
      ),
    isIdentifier: terms.length === 1 && IDENTIFIER.test(text.trim()),
  }
}

/** `parseHttp`, `parse_http`, `http::parse`, `HTTP_PORT`, `parse()`; not a plain word, which may be a topic. */
const IDENTIFIER =
  /^(?=.*(?:[a-z\d][A-Z]|_|::|->|\w\.\w|\(\)$))[@$#]?[A-Za-z_$][\w$]*(?:(?:\.|::|->|#)[A-Za-z_$][\w$]*)*(?:\(\))?$/

const LONGEST_ASKED = 300

const FRAMES: readonly RegExp[] = [
  /^(?:so )?how (?:does|do|did|is|are|was|were|can|should) (.+?) (?:works?|working|used|done|made|implemented|handled|configured|set up)$/i,
  /^(?:what|who|where)(?:['’]s| is| are| was| were) (.+?)(?: (?:defined|implemented|documented|described|for|about|used))?$/i,
  /^(?:please )?(?:explain|describe|show me|tell me about|find|look up|search for|open) (.+)$/i,
  /^(?:what do we know about|what about|everything about|more about|about) (.+)$/i,
]

/** "How does the X work?" is a query for X; the words around X are dropped. */
function withoutFrame(text: string): string {
  // No name is that long, and finding the end of a page of spaces takes quadratic time.
  if (text.length > LONGEST_ASKED) return text
  const plain = text.trim().replace(/[\s?!.]+$/, '')
  for (const frame of FRAMES) {
    const asked = frame.exec(plain)?.[1]
    if (asked !== undefined) return asked
  }
  return plain
}
