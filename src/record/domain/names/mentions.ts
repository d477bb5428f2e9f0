import { foldLetters } from '../../../kernel/domain/text/fold.ts'
import { stem } from '../../../kernel/domain/text/stem.ts'
import { beginsName, broughtInBy, isKnown, knownName, nameKey } from './known-names.ts'

/** A place where a text names things. */
export interface Mention {
  /** Everything named there: by its name, by an alias, or by something that implies it. */
  readonly ids: readonly string[]
  readonly start: number
  readonly end: number
  readonly spelled: string
  /** True if spelled as an ordinary word, which may not be meant as a name ("express", "Make" at the start). */
  readonly isOrdinary: boolean
}

/**
 * The ids to find in a text: those of the alias table, `=` other names and phrases, `~` ordinary words, `^` initials.
 */
export interface Wanted {
  has(id: string): boolean
  /** Whether a wanted phrase begins with this stem, or with these two characters; most words of a text begin none. */
  begins(stem: string): boolean
}

export function wantedIds(ids: Iterable<string>): Wanted {
  const all = ids instanceof Set ? (ids as ReadonlySet<string>) : new Set(ids)
  const first = new Set<string>()
  for (const id of all) if (id.startsWith('=')) first.add(IS_CJK.test(id.slice(1)) ? id.slice(1, 3) : firstStem(id))
  return { has: (id) => all.has(id), begins: (start) => first.has(start) }
}

/** Everything in the alias table. */
export const KNOWN_NAMES: Wanted = { has: (id) => !/^[=~^]/.test(id), begins: () => false }

const firstStem = (id: string): string => {
  const end = id.indexOf(' ')
  return end === -1 ? id.slice(1) : id.slice(1, end)
}

/** The id of words that are in no table: equal for every inflection and every way to join them. */
export const phraseId = (words: readonly string[]): string => `=${words.map(stemOf).join(' ')}`
export const wordId = (word: string): string => `~${stemOf(word)}`
export const initialsId = (words: readonly string[]): string => `^${words.map((word) => word[0]).join('')}`

const MOST_STEMS = 20_000
const stems = new Map<string, string>()

function stemOf(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const made = stem(word)
  stems.set(word, made)
  return made
}

const LONGEST = 6
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\uac00-\\ud7af'
const WORD = new RegExp(`[${CJK}]+|(?:(?![${CJK}])[\\p{L}\\p{N}])+(?:\\+\\+|#(?![\\p{L}\\p{N}]))?`, 'gu')
const IS_CJK = new RegExp(`^[${CJK}]`)
// Joints as in "Next.js", "redis-py", "@scope/redis", "REDIS_URL"; the end of a sentence is not a joint.
const JOINT = /^(?:[ \t]*\n?[ \t]*|[._/@:-]{1,2})$/
const LONGEST_CJK = 12

export interface Word {
  readonly spelled: string
  readonly lower: string
  readonly start: number
  readonly end: number
  /** True if only a space or a joint separates it from the word before. */
  readonly isJoined: boolean
  /** True for the first word of a sentence, which is always capitalised. */
  readonly isFirst: boolean
  readonly isCjk: boolean
}

/** The words of a text, ignoring case and accents. */
export function wordsOf(text: string): Word[] {
  let last = 0
  return [...text.matchAll(WORD)].map(({ 0: raw, index }, i) => {
    const between = text.slice(last, index)
    const isJoined = i > 0 && JOINT.test(between)
    const isFirst = i === 0 || /[.!?:\n•*>"“]/.test(between)
    last = index + raw.length
    const spelled = foldLetters(raw)
    return {
      spelled,
      lower: spelled.toLowerCase(),
      start: index,
      end: last,
      isJoined,
      isFirst,
      isCjk: IS_CJK.test(raw),
    }
  })
}

/** Mentions of wanted things in a text. Of nested names the longest counts: "React Native" is not React. */
export function mentionsIn(text: string, wanted: Wanted): Mention[] {
  const words = wordsOf(text)
  const found: Mention[] = []
  const take = (from: number, to: number, ids: readonly string[], isOrdinary = false): void => {
    const wantedOnes = ids.filter((id) => wanted.has(id))
    const [start, end] = [words[from]!.start, words[to]!.end]
    if (wantedOnes.length > 0) found.push({ ids: wantedOnes, start, end, spelled: text.slice(start, end), isOrdinary })
  }
  let known = 0
  for (let from = 0; from < words.length; from++) {
    if (words[from]!.isCjk) {
      found.push(...insideCjk(text, words[from]!, wanted))
      continue
    }
    unknownAt(words, from, wanted, take)
    if (from >= known) known = from + knownAt(words, from, take)
  }
  return found
}

type Take = (from: number, to: number, ids: readonly string[], isOrdinary?: boolean) => void

/** Takes the longest known name that begins here and returns its number of words. */
function knownAt(words: readonly Word[], from: number, take: Take): number {
  let [size, key] = [0, '']
  let best = { size: 0, key: '' }
  do {
    key += words[from + size]!.lower
    size++
    if (isKnown(key)) best = { size, key }
    else if (size > 1 && isKnown(singular(key))) best = { size, key: singular(key) }
  } while (size < LONGEST && isNeighbour(words[from + size]))
  if (best.size === 0) {
    take(from, from, partsOf(words[from]!))
    return 1
  }
  const name = knownName(best.key)
  const ids = [...(name === undefined ? [] : [name.id]), ...broughtInBy(best.key)]
  take(
    from,
    from + best.size - 1,
    [...new Set(ids)],
    name?.isOrdinary === true && isWrittenSmall(words, from, best.size),
  )
  return best.size
}

const isNeighbour = (word: Word | undefined): boolean => word?.isJoined === true && !word.isCjk

const singular = (key: string): string => key.replace(/s$/, '')

/** True for lower case, or for a capital that only marks the start of a sentence. */
function isWrittenSmall(words: readonly Word[], from: number, size: number): boolean {
  if (size > 1) return false
  const { spelled } = words[from]!
  if (/^\p{Lu}[\p{Lu}\d]+$/u.test(spelled)) return false
  return !/^\p{Lu}/u.test(spelled) || words[from]!.isFirst
}

/** Known names inside a word with common affixes: `kafkajs`, `pyredis`, `RedisClient`. */
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

/** Takes phrases, names and words that are in no table. */
function unknownAt(words: readonly Word[], from: number, wanted: Wanted, take: Take): void {
  const { spelled, lower } = words[from]!
  const first = stemOf(lower)
  take(from, from, /^\p{Lu}{3,}$/u.test(spelled) ? [`~${first}`, `^${lower}`] : [`~${first}`])
  if (!wanted.begins(first)) return
  let id = `=${first}`
  take(from, from, [id])
  for (let size = 1; size < LONGEST && isNeighbour(words[from + size]); size++) {
    id += ` ${stemOf(words[from + size]!.lower)}`
    take(from, from + size, [id])
  }
}

/** Scripts without spaces: every stretch of characters may be a name. */
function insideCjk(text: string, word: Word, wanted: Wanted): Mention[] {
  const found: Mention[] = []
  for (let start = word.start; start < word.end; start++) {
    const first = text.slice(start, start + 2)
    if (!wanted.begins(first) && !beginsName(first)) continue
    for (let end = Math.min(word.end, start + LONGEST_CJK); end >= start + 2; end--) {
      const spelled = text.slice(start, end)
      const name = knownName(nameKey(spelled))
      const ids = [...(name === undefined ? [] : [name.id]), `=${spelled}`].filter((id) => wanted.has(id))
      if (ids.length > 0) found.push({ ids, start, end, spelled, isOrdinary: false })
    }
  }
  return found
}
