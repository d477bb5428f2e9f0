import { strip } from '../text.ts'
import { outsideFences } from '../text/markdown-fences.ts'
import { plainText } from '../text/markdown.ts'
import { type AdrRef, isExternal, refsIn } from './adr-ref.ts'

export type AdrStatusKind = 'accepted' | 'proposed' | 'rejected' | 'deprecated' | 'superseded' | 'unclear' | 'none'

export interface AdrStatus {
  readonly kind: AdrStatusKind
  /** Status as written in the source, on one line; empty for `none`. */
  readonly text: string
  /** Remaining text of the status section, as Markdown. */
  readonly more: string
}

const WORDS: readonly (readonly [Exclude<AdrStatusKind, 'unclear' | 'none'>, RegExp])[] = [
  [
    'superseded',
    /\bsuper[sc]e+ded\b|\b(?:replaced|obsoleted|reverted|reversed|overruled)\b[^.]{0,40}\bby\b|^\W*(?:replaced|obsoleted)\W*$/i,
  ],
  [
    'rejected',
    /\b(?:rejected|declined|denied|dismissed|discarded|withdrawn|abandoned|cancell?ed|turned down|not (?:accepted|approved|adopted|pursued|implemented)|won't (?:do|fix))\b/i,
  ],
  [
    'deprecated',
    /\b(?:deprecated|retired|obsolete|discontinued|reverted|reversed|rolled back|revoked|rescinded|undone|decommissioned|sunset|archived|expired|invalid|outdated|inactive|no longer (?:\w+ )?(?:valid|relevant|applicable|applies|active|used|needed|in (?:use|effect|force)))\b|^\W*(?:removed|dropped|historical)\b|\b(?:been|was|and) removed\b/i,
  ],
  [
    'proposed',
    /\b(?:proposed|proposal|draft|pending|on[- ]hold|wip|tbd|to be (?:decided|discussed)|awaiting|(?:in|under|for|needs) (?:review|discussion|progress|consideration)|open for|not yet (?:accepted|approved|decided))\b/i,
  ],
  [
    'accepted',
    /(?<!\bnot (?:yet )?)\b(?:accepted|approved|adopted|agreed|ratified|decided|final|implemented|completed?|done|active|in (?:effect|force|use))\b/i,
  ],
]

/** Parses the text under "Status". Two statuses in one line, as in an unfilled template, are unclear. */
export function readStatus(source: string): AdrStatus {
  const lines = source.split('\n')
  // A quotation next to other text is the template's advice; a quotation on its own is the status.
  const own = lines.findIndex((line) => says(line) && !line.trimStart().startsWith('>'))
  const first = own < 0 ? lines.findIndex(says) : own
  if (first < 0) return { kind: 'none', text: '', more: '' }
  const text = plainText(lines[first]!.replace(/^[\s>]+/, '').replace(/^[-*+]\s+/, '')).replaceAll('`', '')
  return { kind: kindOf(text), text, more: strip(lines.filter((_, i) => i !== first).join('\n')) }
}

const says = (line: string): boolean => plainText(line.replace(/^[\s>]+/, '')) !== ''

function kindOf(text: string): AdrStatusKind {
  const kinds = WORDS.filter(([, words]) => words.test(text)).map(([kind]) => kind)
  if (kinds.length <= 1) return kinds[0] ?? 'unclear'
  if (isPartial(text)) return kinds.includes('accepted') ? 'accepted' : 'unclear'
  const ended = kinds.filter((kind) => kind === 'superseded' || kind === 'deprecated')
  // "Accepted, superseded by …" is a sequence; "Accepted or Rejected" is a choice.
  if (ended.length > 0 && !kinds.includes('rejected') && !kinds.includes('proposed')) return ended[0]!
  return 'unclear'
}

/**
 * Whether a status is only a word of acceptance, optionally with a date, and so not worth repeating in the decision.
 */
export const isPlainAcceptance = (text: string): boolean =>
  /^[^\p{L}]*(?:accepted|approved|adopted|agreed|ratified|decided|final|implemented|completed?|done|active)[^\p{L}]*(?:on [^\p{L}]*)?$/iu.test(
    text,
  )

export interface Relations {
  readonly supersedes: readonly AdrRef[]
  readonly supersededBy: readonly AdrRef[]
  /** Lines about a partial replacement; they change no status. */
  readonly partly: readonly string[]
}

const REPLACED_BY =
  /\b(?:super[sc]e+ded|replaced|obsoleted|reverted|reversed|overruled)\b[^\n[]{0,40}?\bby\b[\s:]*|\bin favou?r of\b\s*/i
const REPLACES = /\b(?:super[sc]e+de?s|replaces|obsoletes)\b[\s:]*/i
const STARTS_WITH_RELATION =
  /^(?:this (?:adr|decision|document|record|proposal)\s+(?:is |was |has been )?)?(?:super[sc]e+ded by|super[sc]e+de?s)\b/i

/** Relations stated in status lines. */
export function relationsIn(lines: readonly string[]): Relations {
  const supersedes: AdrRef[] = []
  const supersededBy: AdrRef[] = []
  const partly: string[] = []
  for (const line of lines.map((l) => l.replace(/\*\*|__/g, ''))) {
    const by = REPLACED_BY.exec(line)
    const of = REPLACES.exec(line)
    if (by !== null && isPartial(line)) partly.push(plainText(line))
    else if (by !== null) supersededBy.push(...refsIn(upTo(line.slice(by.index + by[0].length), REPLACES)))
    if (of !== null && !isPartial(line))
      supersedes.push(...refsIn(upTo(line.slice(of.index + of[0].length), REPLACED_BY)))
  }
  return { supersedes, supersededBy, partly }
}

/**
 * Relations stated outside the status: only in lines that start with them, and only to other ADRs; a passing mention
 * does not count.
 */
export function relationsInText(text: string): Relations {
  const lines = text.split('\n')
  const open = outsideFences(lines)
  const stated = relationsIn(
    lines.filter(
      (line, i) => open[i] && STARTS_WITH_RELATION.test(line.replace(/\*\*|__/g, '').replace(/^[\s>*+-]+/, '')),
    ),
  )
  return {
    ...stated,
    supersedes: stated.supersedes.filter((ref) => !isExternal(ref)),
    supersededBy: stated.supersededBy.filter((ref) => !isExternal(ref)),
  }
}

const isPartial = (line: string): boolean => /\b(?:parts?|partly|partially|in part|some of|sections? of)\b/i.test(line)

function upTo(text: string, end: RegExp): string {
  const found = end.exec(text)
  return found === null ? text : text.slice(0, found.index)
}

const LEAD = 'Status in the source ADR: '

/** First paragraph of a decision if its source was not simply "accepted": a record only has active and superseded. */
export const statusNote = (status: string): string => `*${LEAD}${strip(status.replaceAll('*', ''))}*`

/** Splits off the status note, for writing the decision as an ADR. */
export function splitStatusNote(rationale: string): {
  readonly status: string | undefined
  readonly rationale: string
} {
  const [, status] = new RegExp(`^\\*${LEAD}([^*\\n]+)\\*\\n+`).exec(rationale) ?? []
  return status === undefined
    ? { status, rationale }
    : { status, rationale: rationale.slice(rationale.indexOf('\n')).trimStart() }
}
