import { VENDORS } from './aliases-services.ts'
import { knownName, nameKey } from './known-names.ts'
import { KNOWN_NAMES, type Mention, initialsId, mentionsIn, phraseId, wordId, wordsOf } from './mentions.ts'
import { isRejected } from './stance.ts'
import { GENERIC, pieces, isOrdinary } from './words.ts'

/** Identifies a rejected alternative or a replaced decision. */
export interface NamedThing {
  readonly spelled: string
  /** Id of the thing's mentions in a text, as returned by `mentionsIn`. */
  readonly id: string
  /** A name matches anywhere; a phrase as a whole; an ordinary word only with further evidence. */
  readonly level: 'name' | 'phrase' | 'word'
  /** Normalised as in `runs`. */
  readonly key: string
  /** Package name, e.g. `next` for "Next.js"; a key this short counts only as a whole package name. */
  readonly packageName: string | undefined
  /** How it matches in code: by its key, by its exact spelling, or not at all (an ordinary word). */
  readonly inCode: 'key' | 'spelling' | 'never'
}

const LEADING =
  /^(?:(?:use|using|adopt|adopting|add|adding|keep|keeping|stay(?:ing)? (?:with|on)|stick(?:ing)? with|switch(?:ing)? to|mov(?:e|ing) to|build|write|roll|introduce|run|host|go with|a|an|the|our|own|plain|pure|raw|full|fully|custom|hosted|self-hosted|managed|external|separate|dedicated|another|more|使用|采用|引入)\s*(?<=\s|[\u4e00-\u9fff]))+/i
/** Makers and vendors, which are dropped: "Apache Kafka" is Kafka. */
const MAKER = /^(?:(?:apache|amazon|aws|google|microsoft|azure|hashicorp)\s+)+/i
const TRAILING =
  /\s+(?:with|without|for|as|in|on|via|over|per|by|using|instead|inside|behind|plus|from|to|at|between|everywhere|only)\b.*$|\s*[–—:].*$|-based\b.*$/i
const MOST_WORDS = 6
const MOST_WORDS_IN_CODE = 4
// The propose_decision limit for an alternative and a rationale; a file in a clone may exceed it.
const LONGEST_NAME = 300
const LONGEST_CONTEXT = 10_000

/**
 * The things that the name of an alternative refers to: "Use an ORM (Prisma)" → ORM, Prisma; "Express or Fastify" →
 * both; "A queue in Redis" → Redis. Empty if it names nothing that could be matched; omits things that the name itself
 * rejects ("No Redis"). `context` is the surrounding text: a capitalised ordinary word ("Polling", "Zorkbase") counts
 * as a name only if it is spelled so inside a sentence.
 */
export function namedThings(name: string, context: string): NamedThing[] {
  const segments = name
    .slice(0, LONGEST_NAME)
    .split(/[,;()[\]|+（）、，]|\s\/\s|\s+(?:or|vs\.?)\s+|或者?/i)
    .map((segment) => segment.trim())
  const things = segments
    .filter((segment) => segment !== '' && !/^(?:no|not|without|never|avoid|drop|remove)\b/i.test(segment))
    .flatMap((segment) => [
      ...headOf(segment, context.slice(0, LONGEST_CONTEXT)),
      ...knownInside(segment),
      ...namesInside(segment),
    ])
    .filter((thing) => thing !== undefined)
  return [...new Map(things.toReversed().map((thing) => [thing.id, thing])).values()].reverse()
}

function headOf(segment: string, context: string): (NamedThing | undefined)[] {
  const whole = segment.replace(LEADING, '')
  const known = knownAs(whole) ?? knownAs(whole.replace(TRAILING, ''))
  const bare = whole.replace(MAKER, '').replace(LEADING, '')
  if (known !== undefined) return [soldAs(bare, known)]
  return saysEnough(bare, whole) ? headOfBare(bare, context) : [toThing(whole, 'phrase', 'never')]
}

/** Code refers to Amazon SQS by the last word; "Key Vault" or "Lambda" without the vendor is ambiguous. */
function soldAs(bare: string, known: NamedThing): NamedThing {
  const short = /^\S+$/.test(bare) && knownName(nameKey(bare))?.isOrdinary !== true ? knownAs(bare) : undefined
  return short?.id === known.id ? short : known
}

/**
 * Whether the name is clear without its vendor: "Event Grid" may be part of a page, and "Azure PostgreSQL" without
 * Azure is something that is also run elsewhere.
 */
function saysEnough(bare: string, whole: string): boolean {
  if (bare === whole) return true
  const head = bare.replace(TRAILING, '')
  if (knownName(nameKey(head)) !== undefined) return !isHosted(whole, whole.length - bare.length, nameKey(head))
  return wordsOf(head).some(({ lower }) => isTelling(lower) && !isOrdinary(lower))
}

function headOfBare(whole: string, context: string): (NamedThing | undefined)[] {
  const head = whole.replace(TRAILING, '')
  const known = knownAs(head)
  if (known !== undefined) return [known]
  if (isMarked(head)) return [toThing(head, 'name', 'key')]
  const isWhole = head === whole
  // Half a sentence ("Store events in …") matches everywhere, and so does "mail server" in code; "Event sourcing" does
  // not.
  if (/[\s_-]/.test(head)) {
    const last = pieces(head).at(-1)?.lower ?? ''
    const parts = wordsOf(whole).map((word) => word.lower)
    const telling = parts.filter((word) => isTelling(word) && !isOrdinary(word))
    const isFound = isWhole || telling.length > 0 || parts.length > 2
    return [
      isFound ? toThing(whole, 'phrase', isWhole && isTelling(last) ? 'key' : 'never') : undefined,
      ...initialsOf(isWhole ? parts : []),
    ]
  }
  if (isNameIn(context, head)) return [toThing(head, 'name', 'spelling')]
  if (!isWhole) return [toThing(whole, 'phrase', 'never')]
  return [toThing(head, isOrdinary(head.toLowerCase()) ? 'word' : 'name', 'never')]
}

/** "Content delivery network" may be written as CDN. */
function initialsOf(words: readonly string[]): (NamedThing | undefined)[] {
  if (words.length < 3 || words.length > 4 || words.some((word) => !/^[a-z]{2,}$/.test(word))) return []
  const id = initialsId(words)
  return [{ spelled: id.slice(1).toUpperCase(), id, level: 'name', key: id, packageName: undefined, inCode: 'never' }]
}

/** Names of the alias table inside a longer one, unless the longer one rejects them or they are only part of a name. */
function knownInside(segment: string): (NamedThing | undefined)[] {
  return mentionsIn(segment, KNOWN_NAMES)
    .filter((mention) => !mention.isOrdinary && !isRejected(segment, mention.start, mention.end))
    .filter(({ spelled, start, end }, i) => {
      const key = nameKey(spelled)
      if (isHosted(segment, start, key)) return false
      return VENDORS.has(key)
        ? !isBeforeService(segment, end) && !(i > 0 && /\b(?:on|in|at|from|by)\s+$/i.test(segment.slice(0, start)))
        : !isPartOfName(segment, start, end)
    })
    .map(({ spelled }: Mention) => knownAs(spelled))
}

/** "AWS KMS" is a service and does not count as AWS; "AWS hosting" and "the AWS cloud" do. */
function isBeforeService(segment: string, end: number): boolean {
  const next = /^(?:'s)?(?:\s+(?:managed|hosted|native|cloud|own))*[\s-]+([\p{L}\p{N}][\p{L}\p{N}.+#]*)/iu.exec(
    segment.slice(end),
  )?.[1]
  if (next === undefined || OF_VENDOR.has(next.toLowerCase())) return false
  return /^\p{Lu}/u.test(next) || (isTelling(next.toLowerCase()) && !isOrdinary(next.toLowerCase()))
}

// Words that may follow a vendor's name without turning it into the name of a service.
const OF_VENDOR: ReadonlySet<string> = new Set(
  `cloud platform hosting host account accounts infrastructure service services environment region sdk cli api apis stack setup deployment and
  or with for as instead only everywhere ecosystem provider vendor`.split(/\s+/),
)

/** "Heroku Postgres" and "Azure Cache for Redis" are hosted by a vendor; Postgres and Redis can be hosted anywhere. */
function isHosted(segment: string, start: number, key: string): boolean {
  const before = wordsOf(segment.slice(0, start))
  const vendors = before.flatMap(({ lower }, i) => [
    { name: lower, after: i + 1 },
    { name: `${before[i - 1]?.lower ?? ''}${lower}`, after: i + 1 },
  ])
  return vendors.some(({ name, after }) => {
    const between = before.slice(after).map(({ lower }) => lower)
    return (
      VENDORS.get(name)?.isHost === true &&
      between.length <= 3 &&
      !between.some((word) => word !== 'for' && CONNECTIVES.has(word)) &&
      !isOwn(name, key)
    )
  })
}

const CONNECTIVES: ReadonlySet<string> = new Set('and or with on in via over plus to behind by from using'.split(' '))

/** Whether the vendor prefix only makes another name of the same thing: "AWS SQS" is SQS. */
const isOwn = (vendor: string, key: string): boolean => {
  const { id } = VENDORS.get(vendor)!
  return [...VENDORS].some(([name, each]) => each.id === id && knownName(name + key)?.id === (knownName(key)?.id ?? ''))
}

/** A name plus one more word, such as "Redis Sentinel" or "React Router", is a different name. */
function isPartOfName(segment: string, start: number, end: number): boolean {
  if (segment.slice(0, start).replace(LEADING, '').replace(MAKER, '') !== '') return false
  const next = /^\s+(\p{Lu}[\p{L}\p{N}]+)$/u.exec(segment.slice(end))?.[1]
  if (next === undefined || knownName(nameKey(next)) !== undefined) return false
  return isMarked(next) || !isOrdinary(next.toLowerCase())
}

/** Words inside a sentence that are spelled as names. If most words are capitalised, it is only heading style. */
function namesInside(segment: string): (NamedThing | undefined)[] {
  const inName = mentionsIn(segment, KNOWN_NAMES).map(({ spelled }) => spelled)
  const words = segment.split(/\s+/)
  const isHeadingStyle = words.filter((word) => /^\p{Lu}/u.test(word)).length > Math.max(1, words.length / 2)
  return words.map((word, i) => {
    if (knownName(nameKey(word)) !== undefined || VENDORS.has(nameKey(word))) return undefined
    if (inName.some((name) => name.split(/\s+/).includes(word))) return undefined
    if (isMarked(word)) return toThing(word, 'name', 'key')
    return i > 0 && !isHeadingStyle && CAPITALIZED.test(word) ? toThing(word, 'name', 'spelling') : undefined
  })
}

const CAPITALIZED = /^\p{Lu}\p{Ll}{2,}$/u

function isNameIn(context: string, word: string): boolean {
  return CAPITALIZED.test(word) && new RegExp(`[\\p{Ll},;(]\\s+${word}(?![\\p{L}\\p{N}])`, 'u').test(context)
}

/**
 * True if a capital follows a lower-case letter, or a digit or dot is between letters: ordinary words are never spelled
 * this way.
 */
const isMarked = (word: string): boolean => /^\S*(?:\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}|\p{L}\d|\p{L}\.\p{L})\S*$/u.test(word)

const isTelling = (word: string): boolean => word.length > 1 && !GENERIC.has(word)

/** The thing of a name in the alias table; undefined if the name is not in it. */
function knownAs(spelled: string): NamedThing | undefined {
  const words = pieces(spelled).map((piece) => piece.lower)
  const known = knownName(nameKey(spelled))
  if (known === undefined) return undefined
  return {
    spelled,
    id: known.id,
    level: 'name',
    key: words.join(''),
    // A plain word must match in its exact spelling, since `kafka_offsets` may be unrelated; MongoDB and gRPC are not
    // ordinary words.
    inCode: isMarked(spelled) ? 'key' : words.length === 1 ? 'spelling' : isTelling(words.at(-1)!) ? 'key' : 'never',
    packageName: words.length > 1 && words.at(-1) === 'js' ? words.join('').slice(0, -2) : undefined,
  }
}

function toThing(spelled: string, level: NamedThing['level'], inCode: NamedThing['inCode']): NamedThing | undefined {
  const words = pieces(spelled).map((piece) => piece.lower)
  const key = words.join('')
  if (!isTelling(key) || words.length > MOST_WORDS || !(isMarked(spelled) || words.some(isTelling))) return undefined
  return {
    spelled,
    id: level === 'word' ? wordId(key) : phraseId(wordsOf(spelled).map((word) => word.lower)),
    level,
    key,
    inCode: words.length > MOST_WORDS_IN_CODE ? 'never' : inCode,
    packageName: words.length > 1 && words.at(-1) === 'js' ? key.slice(0, -2) : undefined,
  }
}
