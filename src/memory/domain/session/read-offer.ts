/** Alternatives named in a text. */
export interface Offer {
  readonly text: string
  readonly options: readonly string[]
  /** Whether the text asks for a choice or weighs the alternatives, instead of only mentioning them. */
  readonly isChoice: boolean
}

const LONGEST = 6_000
const LONGEST_OPTION = 120
// `of` is Dutch only after a comma: elsewhere it is an English preposition.
const OR =
  '(?:or|oder|ou|o|eller|albo|lub|czy|или|або|veya|vs\\.?|versus|(?<=,\\s)of(?!\\s(?:course|which|whom|these|those)\\b))'
const CHOICE =
  /\b(?:either|options?|ways|choices|alternatives?|possibilit(?:y|ies)|choose|which|prefer|versus|vs|compared|downside|trade-?offs?|entweder|oder|möglichkeiten|wege|ou bien|soit|opciones)\b|\bor\b[^.]{0,300}\?/iu

/** Words that introduce a statement by a document or another person. */
const RELAYED =
  /\b(?:the|this|that|their|its|his|her|one|a)\s+(?:[\w'-]{1,30}\s+){0,2}(?:posts?|pages?|e?-?mails?|wiki|articles?|readme|tickets?|issues?|threads?|comments?|docs?|documents?|files?|authors?|teams?|boards?|letters?|minutes|changelog|logs?|notes?|messages?|blog|vendors?|partners?)\b.{0,60}\b(?:says?|said|mentions?|claims?|states?|reads?|decided|chose|picked|dropped|asks?|tells?|told|recommends?|announces?)\b|\bthey (?:write|wrote|say|said|mention|claim|state|recommend|suggest|decided|chose|picked|announced)\b/i
// Bounded, so that the time stays linear in the text.
const SENTENCE = /(?:[^.!?\n]|[.!?](?!\s|$)){1,400}[.!?]?/g

/** Removes sentences that are neither an offer nor the speaker's own words. */
export const withoutRelayed = (text: string): string =>
  text.replace(SENTENCE, (sentence) => (RELAYED.test(sentence) ? ' ' : sentence))

/** The offer in a text, if any. */
export function readOffer(text: string): Offer {
  const clean = withoutRelayed(
    text
      .slice(0, LONGEST)
      .replace(/```[\s\S]*?(?:```|$)/g, ' ')
      .replace(/^\s*>.*$/gm, ' '),
  )
  const listed = CHOICE.test(clean) || clean.includes('?') ? listedOptions(clean) : []
  const either = listed.length > 1 ? listed : orOptions(clean)
  const options = either.length > 1 ? either : namedThings(clean)
  const isChoice = options.length > 1
  return { text: clean.trim(), options, isChoice }
}

/** Bullets, numbered lines, and `(a) … (b) …` within a sentence. */
function listedOptions(text: string): string[] {
  const bullets = [...text.matchAll(/^\s*(?:[-*•]|\(?[1-9a-dA-D][.):])\s+(.+)$/gm)].map(([, item]) => nameOf(item!))
  if (bullets.length > 1) return bullets.slice(0, MOST_NAMES)
  return [
    ...text.matchAll(
      /(?:^|[\s,;:])\(?(?:[1-4]|[a-dA-D])[).]\s+(.+?)(?=[,;]?\s+(?:or |and |oder )?\(?(?:[1-4]|[a-dA-D])[).]\s|[.?!](?:\s|$)|$)/gs,
    ),
  ].map(([, item]) => nameOf(item!))
}

/** `X, Y, or Z` in one sentence. */
function orOptions(text: string): string[] {
  for (const sentence of sentencesOf(text.replace(/\([^()]*\)/g, ' ')).toReversed()) {
    const parts = sentence.split(new RegExp(`,?\\s+${OR}\\s+|;\\s+`, 'iu'))
    if (parts.length < 2 || !new RegExp(`\\s${OR}\\s`, 'iu').test(sentence)) continue
    const lead = parts[0]!.replace(/^.*?(?:[:–—]\s+)/s, '')
    const names = [...lead.split(/,\s+/), ...parts.slice(1)].map(nameOf).filter((name) => name !== '')
    if (names.length > 1) return names.slice(0, MOST_NAMES)
  }
  return []
}

/** Things that a text compares without `or`: bold, code, and names such as SQLite, KMP or `gravatar`. */
function namedThings(text: string): string[] {
  if (!WEIGHS.test(text)) return []
  const names = [
    ...text.matchAll(
      /\*\*(.+?)\*\*|`([^`\n]{2,40})`|(?<![.!?]\s|^)\b(\p{Lu}[\p{L}\p{N}+#.-]*[\p{L}\p{N}])|\b(\p{Lu}[\p{Ll}]*\p{Lu}[\p{L}\p{N}]*)/gu,
    ),
  ]
  const found = names.map(([, bold, code, name, camel]) => (bold ?? code ?? name ?? camel ?? '').replace(/[:.,]$/, ''))
  const distinct = new Map(found.filter((name) => name.length > 1).map((name) => [name.toLowerCase(), name]))
  return [...distinct.values()].slice(0, MOST_NAMES)
}

const MOST_NAMES = 8
/** Words of a comparison. */
const WEIGHS =
  /\b(?:but|than|while|whereas|instead|costs?|needs?|cheaper|faster|slower|simpler|heavier|smaller|bigger|better|worse|downside|however|would|means|aber|dafür|dagegen|besser|mais|pero)\b|(?<!\p{L})(?:но|зато|лучше|если)(?!\p{L})/iu

/** Sentences, without breaking file names and versions. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

const nameOf = (text: string): string => {
  const bold = /^\*\*(.+?)\*\*/.exec(text)?.[1]
  return (bold ?? text.split(/[:;(]|\s[–—-]\s/)[0]!)
    .replace(/[*`"?]/g, '')
    .replace(/^(?:(?:then|either|should|do|shall|we|you|i|can|could|the|an?|in|to|or|and|keep|move|use)\s+)+/i, '')
    .replace(/[.,!\s]+$/, '')
    .slice(0, LONGEST_OPTION)
    .trim()
}
