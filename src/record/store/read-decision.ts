import { AppError } from '../../kernel/domain/errors.ts'
import { codePoints } from '../../kernel/domain/text.ts'
import { CHECK_STOP_WORDS, STOP_WORDS, decisionTokens } from '../../kernel/domain/text/decision-tokens.ts'
import { type CatalogueEntry, type UnreadableFile, toEntry } from '../domain/decision/catalogue.ts'
import { decisionNames, indexText, reasonsText } from '../domain/decision/decision-texts.ts'
import { DecisionFault } from '../domain/decision/fault.ts'
import { parseDecision } from '../domain/decision/parse.ts'
import { decisionPath } from '../domain/files.ts'
import { decode, sha256 } from './record-text.ts'

/** Everything the index keeps of a decision file. */
export interface DecisionReading {
  /** Hash of the text with \n line ends; null for a file that is not text. */
  readonly hash: string | null
  readonly points: number
  readonly entry: CatalogueEntry | undefined
  readonly fault: UnreadableFile | undefined
  /** Equal for files with the same index terms: a decision that is only superseded keeps its postings. */
  readonly words: string | undefined
  readonly text: FieldReading
  readonly reasons: FieldReading
  readonly names: ReadonlyMap<string, number>
}

export interface FieldReading {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
  /** How many terms are the word "use", which a check ignores. */
  readonly uses: number
}

export function readDecisionBytes(stem: string, bytes: Uint8Array): DecisionReading {
  try {
    return readDecisionText(stem, decode(bytes, decisionPath(stem)))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return unreadable(stem, error.message)
  }
}

export function readDecisionText(stem: string, text: string): DecisionReading {
  const known = { hash: sha256(text), points: codePoints(text) }
  try {
    const decision = parseDecision(text, `${stem}.md`)
    const [body, reasons] = [indexText(decision), reasonsText(decision)]
    return {
      ...known,
      entry: toEntry(stem, decision),
      fault: undefined,
      words: sha256(`${body}\0${reasons}`),
      text: readField(body),
      reasons: readField(reasons),
      names: decisionNames(decision),
    }
  } catch (error) {
    if (!(error instanceof DecisionFault)) throw error
    return { ...unreadable(stem, error.message, error.kind), ...known }
  }
}

export const unreadable = (
  stem: string,
  message: string,
  kind: UnreadableFile['kind'] = 'unreadable',
): DecisionReading => ({
  hash: null,
  points: 0,
  entry: undefined,
  fault: { path: decisionPath(stem), kind, message },
  words: undefined,
  text: NOTHING,
  reasons: NOTHING,
  names: new Map(),
})

const NOTHING: FieldReading = { terms: new Map(), length: 0, uses: 0 }

function readField(text: string): FieldReading {
  const tokens = decisionTokens(text, STOP_WORDS)
  const terms = new Map<string, number>()
  for (const token of tokens) terms.set(token, (terms.get(token) ?? 0) + 1)
  const uses = terms.has('use') ? tokens.length - decisionTokens(text, CHECK_STOP_WORDS).length : 0
  return { terms, length: tokens.length, uses }
}
