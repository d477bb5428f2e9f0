import {
  ibanLength,
  isAadhaar,
  isBelgianId,
  isCard,
  isCpf,
  isFrenchId,
  isItalianCode,
  isSpanishId,
  isSwedishId,
  isSwissId,
  passesLuhn,
} from './check-digits.ts'
import { isFamilyName, isGivenName } from './given-names.ts'
import { maskOf, type PersonalKind } from './kinds.ts'

/** Finds a kind inside a text. Patterns are bounded, so that the cost is linear. */
interface Finder {
  readonly kind: PersonalKind
  readonly pattern: RegExp
  /** How many characters of a hit count, from its start; 0 for none. All of it if undefined. */
  take?(hit: string): number
  /** The masked group; the whole match if undefined. */
  readonly group?: number
}

const all = (accepts: boolean, hit: string): number => (accepts ? hit.length : 0)
const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')

const FILES = /\.(?:png|jpe?g|gif|svg|webp|css|js|ts|html?|pdf|zip)$/i
const DATE = /^\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d/

const FINDERS: readonly Finder[] = [
  {
    kind: 'e-mail',
    pattern:
      /(?<![\p{L}\p{N}._%+'-])[\p{L}\p{N}._+'-]{1,64}(?:[@＠]|%40| ?[([](?:at|AT)[)\]] ?)[\p{L}\p{N}-]{1,63}(?:(?:\.| ?[([](?:dot|DOT)[)\]] ?)[\p{L}\p{N}-]{1,63}){0,4}(?:\.| ?[([](?:dot|DOT)[)\]] ?)\p{L}{2,24}/gu,
    take: (hit) => all(!FILES.test(hit) && !hit.startsWith('git@'), hit),
  },
  {
    kind: 'IBAN',
    pattern: /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,32}/g,
    take(hit) {
      const length = ibanLength(hit.replaceAll(/[ -]/g, '').toUpperCase())
      return length === undefined ? 0 : cutAfter(hit, length, /[A-Za-z0-9]/)
    },
  },
  {
    kind: 'national id',
    pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])/g,
  },
  {
    kind: 'national id',
    pattern: /(?<![\w.])[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?!\w)/g,
    take: (hit) => all(isFrenchId(hit.replaceAll(' ', '')), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<!\d)\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g,
    take: (hit) => all(isCpf(digitsOf(hit)), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<![\d.])756\.\d{4}\.\d{4}\.\d{2}(?![\d.]*\d)/g,
    take: (hit) => all(isSwissId(digitsOf(hit)), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<![\d.-])\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}(?![\d.-])/g,
    take: (hit) => all(isBelgianId(digitsOf(hit)), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<![\d-])(?:19|20)?\d{6}[-+]\d{4}(?![\d-])/g,
    take: (hit) => all(isSwedishId(digitsOf(hit)), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<!\w)(?:[XYZ]-?\d{7}|\d{8})-?[A-HJ-NP-TV-Z](?!\w)/g,
    take: (hit) => all(isSpanishId(hit.replaceAll('-', '')), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<!\w)[A-Z]{6}[0-9LMNPQRSTUV]{2}[ABCDEHLMPRST][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z](?!\w)/gi,
    take: (hit) => all(isItalianCode(hit.toUpperCase()), hit),
  },
  {
    kind: 'national id',
    pattern: /(?<!\w)(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d\d){3} ?[A-D](?!\w)/g,
  },
  { kind: 'national id', pattern: /(?<!\w)[A-Z]{3}[ABCFGHLJPTK][A-Z]\d{4}[A-Z](?!\w)/g },
  { kind: 'national id', pattern: /(?<!\w)[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z\d]\d(?!\w)/g },
  {
    kind: 'national id',
    pattern: /(?<![\d-])[2-9]\d{3} \d{4} \d{4}(?![ -]?\d)/g,
    take: (hit) => all(isAadhaar(digitsOf(hit)), hit),
  },
  {
    kind: 'card',
    pattern: /(?<![\d.\w+-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)/g,
    take: (hit) => all(isCard(digitsOf(hit)), hit),
  },
  {
    kind: 'phone',
    pattern: /(?:(?<![\w+])\+|%2B)[1-9](?:[ ().\-/]{0,2}\d){7,14}(?!\w)/g,
  },
  { kind: 'phone', pattern: /(?<![\w+])00[1-9]\d{0,2}[ (/-]{1,2}(?:[ ().\-/]{0,2}\d){6,12}(?!\w)/g },
  {
    kind: 'phone',
    pattern: /(?<![\w.-])(?:1[-. ])?(?:\([2-9]\d{2}\)[ -]?|[2-9]\d{2}[-. ])\d{3}[-. ]\d{4}(?![\w-]|\.\d)/g,
  },
  {
    kind: 'phone',
    pattern: /(?<![\w.,+:/-])\(?0\d{1,5}\)?(?:[ \-/.]{1,3}\d{2,8}){1,5}(?![\w-]|\.\d)/g,
    take: (hit) => all(digitsOf(hit).length >= 9 && digitsOf(hit).length <= 12 && !DATE.test(hit), hit),
  },
  { kind: 'phone', pattern: /(?<![\w.-])\(\d{2}\) ?9?\d{4}-\d{4}(?![\w-])/g },
  {
    kind: 'phone',
    pattern:
      /(?<![\p{L}])(?:tel|phone|telephone|telefon|mobile?|cell|handy|ruf|fax|call|whatsapp|movil|gsm|msisdn|my number|reach(?:ed)?|ring)[a-zé]{0,6}\.?(?: (?:no|nr|number|nummer|me|us|him|her|back|at|on|is|under|unter|in)\.?){0,3}[ :=#]{1,3}(\+?\(?\d(?:[ ().\-/]{0,2}\d){6,14})(?!\w)/giu,
    group: 1,
  },
  {
    kind: 'device id',
    pattern:
      /(?<![\w:-])(?:[0-9a-f]{2}:){5}[0-9a-f]{2}(?![\w:-])|(?<![\w:-])(?:[0-9a-f]{2}-){5}[0-9a-f]{2}(?![\w:-])/gi,
  },
  {
    kind: 'IP',
    pattern:
      /(?<!\p{L})(?:ip|ips|ipv4|addr|address|client|visitor)[ :=]{1,3}((?:\d{1,3}\.){3}\d{1,3})(?![\w-]|\.\d)/giu,
    group: 1,
    take: (hit) => all(isRoutable(hit), hit),
  },
  {
    kind: 'username',
    pattern:
      /(?<!\p{L})(?:user ?name|login|benutzer(?:name)?|user|nick(?:name)?) ?[:=] ?([\p{L}\d._-]{3,40})(?![\p{L}\d@])/giu,
    group: 1,
  },
  {
    kind: 'IP',
    pattern: /(?<![\w.:-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g,
    take: (hit) => all(isPublicAddress(hit), hit),
  },
  {
    kind: 'IP',
    pattern: /(?<![\w:.])[0-9a-f]{1,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi,
    take: (hit) => all(isIPv6(hit), hit),
  },
  {
    kind: 'passport',
    pattern:
      /(?:passport|reisepass|passeport|pasaporte|passaporto)(?: ?(?:no|nr|num|number|nummer|#)\.?)?[ :=#]{1,3}((?=[A-Z]{0,8}\d)[A-Z0-9]{6,12})(?!\w)/gi,
    group: 1,
  },
  {
    kind: 'driving licence',
    pattern:
      /(?:driv(?:ing|er'?s?) licen[cs]e|führerschein)(?: ?(?:no|nr|num|number|nummer|#)\.?)?[ :=#]{1,3}((?=[A-Z]{0,8}\d)[A-Z0-9-]{6,20})(?!\w)/gi,
    group: 1,
  },
  {
    kind: 'plate',
    pattern:
      /(?:licen[cs]e plate|number plate|plate|kennzeichen|targa|immatriculation)(?: ?(?:no|nr|number|#)\.?)?[ :=#]{1,3}([A-ZÄÖÜ0-9]{1,4}[ -][A-ZÄÖÜ0-9]{1,4}(?:[ -]?[A-Z0-9]{1,4})?)(?!\w)/g,
    group: 1,
  },
  {
    kind: 'birth',
    pattern:
      /(?<!\p{L})(?:born|dob|d\.o\.b\.?|date of birth|birth(?:day|date)|geboren|geb\.|née?|nacid[oa]|nat[oa])(?: (?:on|am|le|el|il))?["' :=]{1,5}(\d{1,4}[-./ ](?:\d{1,2}|\p{L}{3,9})[-./ ]\d{1,4}|\p{L}{3,9} \d{1,2},? \d{4})/giu,
    group: 1,
  },
  {
    kind: 'address',
    pattern:
      /(?<![\w-])\d{1,5}[a-z]?,? (?:[\p{Lu}\d][\p{L}\d.'’-]{0,24} ){1,3}(?:Street|St|Road|Rd|Avenue|Ave|Lane|Ln|Drive|Dr|Court|Ct|Boulevard|Blvd|Way|Place|Square|Sq|Terrace|Close|Crescent|Highway|Hwy|Parkway|Pkwy|Mews|Grove)(?![\p{L}])/gu,
  },
  {
    kind: 'address',
    pattern:
      /(?<!\p{L})(?:\p{Lu}[\p{L}.'’]{0,24}[- ]){0,3}\p{Lu}[\p{L}'’-]{0,30}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|damm|ufer|steig|chaussee|straat|laan|plein|gracht|kade|dijk|vej|gatan|vägen| Straße| Strasse| Allee| Platz| Weg| Ring),? \d{1,4} ?[a-z]?(?![\p{L}\d])/gu,
  },
  {
    kind: 'address',
    pattern:
      /(?<![\p{L}\d])\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|boulevard|bd|chemin|impasse|allée|quai|route|cours) (?:[\p{L}'’-]{1,24}[ ,]?){1,5}/giu,
  },
  {
    kind: 'address',
    pattern:
      /(?<!\p{L})(?:calle|c\/|avenida|avda\.|paseo|plaza|via|viale|piazza|corso|rua|travessa|ulica|ul\.) ?(?:\p{L}[\p{L}.'’-]{0,24} ){0,4}\p{L}[\p{L}.'’-]{0,24},? (?:n\.?º? ?)?\d{1,4}(?![\p{L}\d])/giu,
  },
]

/** Whether an address is neither private nor local. */
function isRoutable(text: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number)
  if ([a, b, c, d].some((part) => part > 255) || /(?:^|\.)0\d/.test(text)) return false
  return !(a === 0 || a === 10 || a === 127 || a >= 224 || (a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168))
}

/** Excludes versions, which also have four small numbers. */
function isPublicAddress(text: string): boolean {
  const [a = 0, ...others] = text.split('.').map(Number)
  return isRoutable(text) && Math.max(a, ...others) > 40 && (a > 31 || Math.max(...others) > 99)
}

function isIPv6(text: string): boolean {
  const groups = text.split(':')
  const isShort = text.includes('::') && text.indexOf('::') === text.lastIndexOf('::') && !text.includes(':::')
  if (!(isShort ? groups.length <= 8 : groups.length === 8)) return false
  const filled = groups.filter((group) => group !== '')
  return filled.length >= 2 && /\d/.test(text) && filled.some((group) => group.length >= 3) && !/^f[cde]/i.test(text)
}

function cutAfter(text: string, count: number, counted: RegExp): number {
  let [at, seen] = [0, 0]
  while (at < text.length && seen < count) if (counted.test(text[at++]!)) seen++
  return at
}

const WORD = String.raw`\p{Lu}[\p{L}’'-]{0,24}\.?`
const BETWEEN = 'von|van|de|del|della|di|dos|da|al|bin|ibn|el|der|den|la|los|le|y|e'
const RUN = new RegExp(String.raw`(?<![\p{L}\p{N}._/-])${WORD}(?:,? (?:(?:${BETWEEN}) ){0,2}${WORD}){1,9}`, 'gu')
const TITLED =
  /(?<!\p{L})(?:Mr|Mrs|Ms|Miss|Herrn?|Frau|Mme|Mlle|Señora?|Signora?|Dr)\.? (\p{Lu}[\p{L}’'-]{2,24}(?: \p{Lu}[\p{L}’'-]{2,24})?)/gu
const NAMED =
  /(?<!\p{L})(?:(?:full |first |last |customer |patient |contact |caller |client )?name|kunde|patient|client|caller|contact|ansprechpartner(?:in)?|nom|nombre)(?: is)? ?[:=] ?(\p{Lu}[\p{L}’'-]{1,24}(?: \p{Lu}[\p{L}.’'-]{0,24}){0,3})/giu
// Two capitalised words after one of these are usually a person, unless they begin like a place, day or firm.
const MET =
  /(?<!\p{L})(?:with|mit|by|from|von|avec|con|spoke to|talked to|calls?|called|contact|contacted|met|asked|asks|told|customer|client|patient|kunde|kundin|frau|herr|user|employee|mitarbeiter(?:in)?) (\p{Lu}\p{Ll}[\p{L}’'-]{1,24} \p{Lu}\p{Ll}[\p{L}’'-]{1,24})(?!\p{L})/gu
const NO_PERSON =
  /^(?:New|San|Santa|Los|Las|St|Saint|North|South|East|West|Northern|Southern|Eastern|Western|United|Black|White|Great|Grand|Royal|Google|Microsoft|Amazon|Apple|Adobe|Oracle|American|European|British|German|French|International|National|Deutsche[nr]?|Bank|The|This|That|Our|Your|Their|All|Other|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December|Customer|Order|Invoice|Account|Support|Sales|Head|Main|Next|Last|First|Second|Big|Open|Power|Data|Red|Blue|Green|Der|Die|Das|Dem|Den|Neue[rnms]?)(?= )/

// After a given name these form a brand, a place or a thing.
const NO_FAMILY =
  /^(?:Street|St|Road|Avenue|Inc|Ltd|LLC|GmbH|AG|Corp|Company|Group|Bank|University|College|School|Hospital|Beach|City|County|Island|River|Lake|Park|Airport|Station|Chair|Table|Sofa|Lamp|Desk|Shelf|Bed|Dress|Shoe|Shirt|Edition|Collection|Series|Model|Pro|Max|Plus|Mini|Classic|Server|Cloud|Database|Sponge|Cake|Cup|Award|Prize|Hotel|Museum|Theatre|Center|Centre|House|Tower|Bridge|Hall|Church|Day|Week|Month|Period|Garden|Method|Law|Theorem|Test|And|Or|The|For|With|From|In|On|At|By|Is|Was|Has)$/i

/** Whether a text names a person by a known given name or a title. */
export const namesSomebody = (text: string): boolean => maskPairs(maskTitled(text)) !== text

/** Masks people's names inside a text, if the given name, a title or the preceding words reveal them. */
function maskNames(text: string): string {
  return maskPairs(maskTitled(text)).replaceAll(MET, (hit: string, name: string) =>
    NO_PERSON.test(name) || NO_FAMILY.test(name.split(' ')[1]!)
      ? hit
      : hit.slice(0, hit.length - name.length) + maskOf('name'),
  )
}

function maskTitled(text: string): string {
  return text
    .replaceAll(NAMED, (hit: string, name: string) =>
      NO_FAMILY.test(name) ? hit : hit.slice(0, hit.length - name.length) + maskOf('name'),
    )
    .replaceAll(TITLED, (hit: string, name: string) => hit.slice(0, hit.length - name.length) + maskOf('name'))
}

/** Masks the part of capitalised words that begins with a given name, or is a family name, a comma and a given name. */
function maskPairs(text: string): string {
  return text.replaceAll(RUN, (run: string) => {
    const words = run.split(' ')
    const ends = words.map((_, i) => nameEnd(words, i))
    const at = ends.findIndex((end) => end > 0)
    if (at < 0) return run
    const comma = words[ends[at]! - 1]!.endsWith(',') ? ',' : ''
    const rest = words.slice(ends[at]!).join(' ')
    return [...words.slice(0, at), maskOf('name') + comma, ...(rest === '' ? [] : [maskPairs(rest)])].join(' ')
  })
}

/** Index after the last word of a name that begins at a word; 0 if there is none. */
function nameEnd(words: readonly string[], at: number): number {
  const word = words[at]!
  if (word.endsWith(',')) return isFamilyName(word.slice(0, -1)) && isGivenName(words[at + 1] ?? '') ? at + 2 : 0
  const family = words.findIndex((one, i) => i > at && !LINK.test(one))
  if (!isGivenName(word) || family < 0 || isNoFamily(words[family]!)) return 0
  const end = words.findIndex((one, i) => i > family && (isNoFamily(one) || words[i - 1]!.endsWith(',')))
  return end < 0 ? words.length : end
}

const isNoFamily = (word: string): boolean =>
  !/^\p{Lu}\p{L}/u.test(word) || NO_FAMILY.test(word.replaceAll(/[.,]/g, ''))

// An initial or a small word between the given and the family name.
const LINK = new RegExp(String.raw`^(?:\p{Lu}\.?|${BETWEEN})$`, 'u')

/** Kinds that a rule found inside a text, and the text with each of them masked. */
export interface MaskedText {
  readonly text: string
  readonly kinds: readonly PersonalKind[]
}

/** Masks everything personal in a text. */
export function maskText(text: string, except: readonly PersonalKind[] = []): MaskedText {
  const kinds = new Set<PersonalKind>()
  let masked = text
  for (const { kind, pattern, take, group } of FINDERS) {
    if (except.includes(kind)) continue
    masked = masked.replaceAll(pattern, (hit: string, ...more: unknown[]) => {
      const meant = group === undefined ? hit : String(more[group - 1])
      const length = take?.(meant) ?? meant.length
      if (length === 0) return hit
      kinds.add(kind)
      const at = hit.length - meant.length
      return `${hit.slice(0, at)}${maskOf(kind)}${meant.slice(length)}`
    })
  }
  if (!except.includes('name')) {
    const named = maskNames(masked)
    if (named !== masked) kinds.add('name')
    masked = named
  }
  return { text: masked, kinds: [...kinds] }
}

/** Numbers without letters or separators that have a check digit; only many such numbers together are significant. */
export const LONE_NUMBERS: readonly { readonly kind: PersonalKind; accepts(digits: string): boolean }[] = [
  { kind: 'card', accepts: isCard },
  { kind: 'national id', accepts: (digits) => digits.length === 15 && isFrenchId(digits) },
  {
    kind: 'device id',
    accepts: (digits) =>
      digits.length === 15 && /^[0-9]/.test(digits) && passesLuhn(digits) && /^(?:01|35|86|99)/.test(digits),
  },
  { kind: 'national id', accepts: (digits) => digits.length === 12 && isAadhaar(digits) },
]
