import { foldLetters } from '../text/fold.ts'
import { stem } from '../text/stem.ts'
import { broughtInBy, knownName, nameKey } from './known-names.ts'

/** A place where a text names things. */
export interface Mention {
  /** Every thing that is named there: by its name, by another one, or by what brings it in. */
  readonly ids: readonly string[]
  readonly start: number
  readonly end: number
  readonly spelled: string
  /** Spelled as an ordinary word, which may not be meant as a name at all ("express", "Make" at the start). */
  readonly isOrdinary: boolean
}

/** What a text is read for: `=` phrases and names that the table does not know, `~` ordinary words, `^` initials. */
export type Wanted = (id: string) => boolean

/** The id of words that no table knows: equal for every inflection and every way to join them. */
export const phraseId = (words: readonly string[]): string => `=${words.map(stem).join('')}`
export const wordId = (word: string): string => `~${stem(word)}`
export const initialsId = (words: readonly string[]): string => `^${words.map((word) => word[0]).join('')}`

const LONGEST = 6
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af'
const WORD = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}])+(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`, 'gu')
const IS_CJK = new RegExp(`^[${CJK}]`)
// "Next.js", "redis-py", "@scope/redis", "REDIS_URL"; the end of a sentence is no joint.
const JOINT = /^(?:[ \t]*\n?[ \t]*|[._/@:-]{1,2})$/
const LONGEST_CJK = 12

export interface Word {
  readonly spelled: string
  readonly lower: string
  readonly start: number
  readonly end: number
  /** Belongs to the word before it: only a space or a joint stands between. */
  readonly isJoined: boolean
}

/** The words of a text, in which case does not matter and accents fall away. */
export function wordsOf(text: string): Word[] {
  let last = 0
  return [...text.matchAll(WORD)].map(({ 0: raw, index }, i) => {
    const isJoined = i > 0 && JOINT.test(text.slice(last, index))
    last = index + raw.length
    const spelled = foldLetters(raw)
    return { spelled, lower: spelled.toLowerCase(), start: index, end: last, isJoined }
  })
}

/**
 * The places where a text names something of what is wanted. Of names within names the longest counts: "React Native"
 * is not React.
 */
export function mentionsIn(text: string, wanted: Wanted): Mention[] {
  const words = wordsOf(text)
  const found: Mention[] = []
  const take = (from: number, to: number, ids: readonly string[], isOrdinary = false): void => {
    const wantedIds = ids.filter(wanted)
    const [start, end] = [words[from]!.start, words[to]!.end]
    if (wantedIds.length > 0) found.push({ ids: wantedIds, start, end, spelled: text.slice(start, end), isOrdinary })
  }
  let known = 0
  for (let from = 0; from < words.length; from++) {
    if (IS_CJK.test(words[from]!.lower)) {
      found.push(...insideCjk(text, words[from]!, wanted))
      continue
    }
    const stretch = stretchAt(words, from)
    for (let size = stretch; size >= 1; size--) unknownAt(words, from, size, take)
    if (from < known) continue
    known = from + knownAt(words, from, stretch, take)
  }
  return found
}

type Take = (from: number, to: number, ids: readonly string[], isOrdinary?: boolean) => void

/** How many words from here on are neighbours. */
function stretchAt(words: readonly Word[], from: number): number {
  let size = 1
  while (size < LONGEST && words[from + size]?.isJoined === true && !IS_CJK.test(words[from + size]!.lower)) size++
  return size
}

/** The longest known name that begins here; answers how many words it takes up. */
function knownAt(words: readonly Word[], from: number, stretch: number, take: Take): number {
  for (let size = stretch; size >= 1; size--) {
    const part = words.slice(from, from + size)
    const key = part.map((word) => word.lower).join('')
    const name = knownName(key) ?? (size > 1 ? knownName(singular(key)) : undefined)
    const brought = broughtInBy(key)
    if (name === undefined && brought.length === 0) continue
    const ids = [...(name === undefined ? [] : [name.id]), ...brought]
    take(from, from + size - 1, [...new Set(ids)], name?.isOrdinary === true && isWrittenSmall(words, from, size))
    return size
  }
  take(from, from, partsOf(words[from]!))
  return 1
}

const singular = (key: string): string => key.replace(/s$/, '')

/** Small, or with the capital that any word has at the start of a sentence. */
function isWrittenSmall(words: readonly Word[], from: number, size: number): boolean {
  if (size > 1) return false
  const { spelled } = words[from]!
  if (/^\p{Lu}[\p{Lu}\d]+$/u.test(spelled)) return false
  return !/^\p{Lu}/u.test(spelled) || from === 0 || !words[from]!.isJoined
}

/** `kafkajs`, `pyredis`, `RedisClient`: a known name with what programmers put around it. */
function partsOf({ spelled, lower }: Word): string[] {
  const bare = /^(?:py|node|php|lib)?(.{4,}?)(?:js|py|rb|rs|kt|net|4j)?$/.exec(lower)?.[1] ?? lower
  const pieces = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(spelled)
    ? spelled.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u)
    : []
  return [bare, ...pieces.map((piece) => piece.toLowerCase())].flatMap((key) => {
    if (key === lower) return []
    const name = knownName(key)
    return name === undefined ? [phraseId([key])] : name.isOrdinary ? [] : [name.id]
  })
}

function unknownAt(words: readonly Word[], from: number, size: number, take: Take): void {
  const part = words.slice(from, from + size)
  const ids = [phraseId(part.map((word) => word.lower))]
  const [{ spelled, lower }] = part as [Word]
  if (size === 1) ids.push(wordId(lower))
  if (size === 1 && /^\p{Lu}{3,}$/u.test(spelled)) ids.push(`^${lower}`)
  take(from, from + size - 1, ids)
}

/** Scripts without spaces: every stretch of characters may be a name. */
function insideCjk(text: string, word: Word, wanted: Wanted): Mention[] {
  const found: Mention[] = []
  for (let start = word.start; start < word.end; start++) {
    for (let end = Math.min(word.end, start + LONGEST_CJK); end >= start + 2; end--) {
      const spelled = text.slice(start, end)
      const name = knownName(nameKey(spelled))
      const ids = [...(name === undefined ? [] : [name.id]), `=${spelled}`].filter(wanted)
      if (ids.length > 0) found.push({ ids, start, end, spelled, isOrdinary: false })
    }
  }
  return found
}
