/**
 * Stem of a lower-case English word by Snowball English 3.1 ("decisions" → "decis"). Words without English endings,
 * other scripts and numbers are returned unchanged.
 */
export function stem(word: string): string {
  return EXCEPTIONS.get(word) ?? (word.length < 3 ? word : stripEndings(word))
}

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ['sky', 'sky'],
  ['news', 'news'],
  ['howe', 'howe'],
  ['atlas', 'atlas'],
  ['cosmos', 'cosmos'],
  ['bias', 'bias'],
  ['andes', 'andes'],
])

/** Starts of the word's two suffix regions; both stay fixed while endings are removed. */
interface Regions {
  readonly r1: number
  readonly r2: number
}

function stripEndings(input: string): string {
  let word = input.startsWith("'") ? input.slice(1) : input
  // A `y` that is a consonant is written `Y` until the end, so that it never counts as a vowel.
  const hasY = word.includes('y')
  if (hasY) word = markConsonantY(word)
  const regions = findRegions(word)
  word = pluralEnding(word)
  word = verbEnding(word, regions)
  word = finalY(word)
  word = derivedEnding(word, DERIVED_2, regions)
  word = derivedEnding(word, DERIVED_3, regions)
  word = derivedEnding(word, DERIVED_4, regions)
  word = finalLetter(word, regions)
  return hasY ? word.replaceAll('Y', 'y') : word
}

function markConsonantY(word: string): string {
  let marked = ''
  for (let i = 0; i < word.length; i++) {
    marked += word[i] === 'y' && (i === 0 || isVowel(marked, i - 1)) ? 'Y' : word[i]
  }
  return marked
}

const FIXED_R1 = ['gener', 'commun', 'arsen', 'past', 'univers', 'later', 'emerg', 'organ', 'inter']

function findRegions(word: string): Regions {
  const r1 = FIXED_R1.find((beginning) => word.startsWith(beginning))?.length ?? afterVowelAndConsonant(word, 0)
  return { r1, r2: afterVowelAndConsonant(word, r1) }
}

function afterVowelAndConsonant(word: string, from: number): number {
  let i = from
  while (i < word.length && !isVowel(word, i)) i++
  while (i < word.length && isVowel(word, i)) i++
  return i < word.length ? i + 1 : word.length
}

function pluralEnding(input: string): string {
  const word = input.includes("'") ? input.replace(/(?:'|'s|'s')$/, '') : input
  const last = word.charCodeAt(word.length - 1)
  if (last === 0x64 /* d */) return word.endsWith('ied') ? withoutIe(word) : word
  if (last !== 0x73 /* s */) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ies')) return withoutIe(word)
  if (word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

const withoutIe = (word: string) => word.slice(0, word.length > 4 ? -2 : -1)

const KEPT_EED = /^(?:proc|exc|succ)eed(?:ly)?$/
const KEPT_ING = /^(?:inn|out|cann|herr|earr|even)ing$/
const SHORT_YING = /^[^aeiouy]ying$/

function verbEnding(word: string, { r1 }: Regions): string {
  const bare = word.endsWith('ly') ? word.slice(0, -2) : word
  if (bare.endsWith('eed')) {
    return bare.length - 3 < r1 || KEPT_EED.test(word) ? word : bare.slice(0, -1)
  }
  const ending = bare.endsWith('ed') ? 2 : bare.endsWith('ing') ? 3 : 0
  if (ending === 0) return word
  if (SHORT_YING.test(word)) return `${word.slice(0, 1)}ie`
  if (KEPT_ING.test(word)) return word
  const root = bare.slice(0, -ending)
  return hasVowel(root, root.length) ? repairRoot(root, r1) : word
}

function repairRoot(root: string, r1: number): string {
  if (root.endsWith('at') || root.endsWith('bl') || root.endsWith('iz')) return `${root}e`
  const end = root.length
  if (end > 1 && root[end - 1] === root[end - 2] && 'bdfgmnprt'.includes(root.charAt(end - 1))) {
    return end === 3 && 'aeo'.includes(root.charAt(0)) ? root : root.slice(0, -1)
  }
  return end === r1 && endsInShortSyllable(root, end) ? `${root}e` : root
}

function finalY(word: string): string {
  const end = word.length
  const last = word.charCodeAt(end - 1)
  if (last !== 0x79 /* y */ && last !== 0x59 /* Y */) return word
  return end > 2 && !isVowel(word, end - 2) ? `${word.slice(0, -1)}i` : word
}

interface Derived {
  readonly suffix: string
  readonly becomes: string
  readonly region: 'r1' | 'r2'
  /** The suffix counts only after one of these letters. */
  readonly after?: string
}

const inR1 = (becomes: string, ...suffixes: string[]): Derived[] =>
  suffixes.map((suffix) => ({ suffix, becomes, region: 'r1' }))
const inR2 = (becomes: string, ...suffixes: string[]): Derived[] =>
  suffixes.map((suffix) => ({ suffix, becomes, region: 'r2' }))

const DERIVED_2 = byLastLetter([
  ...inR1('tion', 'tional'),
  ...inR1('ence', 'enci'),
  ...inR1('ance', 'anci'),
  ...inR1('able', 'abli'),
  ...inR1('ent', 'entli'),
  ...inR1('ize', 'izer', 'ization'),
  ...inR1('ate', 'ational', 'ation', 'ator'),
  ...inR1('al', 'alism', 'aliti', 'alli'),
  ...inR1('ful', 'fulness', 'fulli'),
  ...inR1('ous', 'ousli', 'ousness'),
  ...inR1('ive', 'iveness', 'iviti'),
  ...inR1('ble', 'biliti', 'bli'),
  ...inR1('less', 'lessli'),
  ...inR1('og', 'ogist'),
  { suffix: 'ogi', becomes: 'og', region: 'r1', after: 'l' },
  { suffix: 'li', becomes: '', region: 'r1', after: 'cdeghkmnrt' },
])

const DERIVED_3 = byLastLetter([
  ...inR1('tion', 'tional'),
  ...inR1('ate', 'ational'),
  ...inR1('al', 'alize'),
  ...inR1('ic', 'icate', 'iciti', 'ical'),
  ...inR1('', 'ful', 'ness'),
  ...inR2('', 'ative'),
])

const DERIVED_4 = byLastLetter([
  ...inR2(
    '',
    'al',
    'ance',
    'ence',
    'er',
    'ic',
    'able',
    'ible',
    'ant',
    'ement',
    'ment',
    'ent',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
  ),
  { suffix: 'ion', becomes: '', region: 'r2', after: 'st' },
])

/** Rules by last letter, longest first: the longest ending found decides, even if its condition then fails. */
function byLastLetter(rules: readonly Derived[]): ReadonlyMap<number, readonly Derived[]> {
  const longestFirst = rules.toSorted((a, b) => b.suffix.length - a.suffix.length)
  return Map.groupBy(longestFirst, ({ suffix }) => suffix.charCodeAt(suffix.length - 1))
}

function derivedEnding(word: string, rules: ReadonlyMap<number, readonly Derived[]>, regions: Regions): string {
  const rule = rules.get(word.charCodeAt(word.length - 1))?.find(({ suffix }) => word.endsWith(suffix))
  if (!rule) return word
  const start = word.length - rule.suffix.length
  if (start < regions[rule.region]) return word
  if (rule.after !== undefined && (start === 0 || !rule.after.includes(word.charAt(start - 1)))) return word
  return word.slice(0, start) + rule.becomes
}

function finalLetter(word: string, { r1, r2 }: Regions): string {
  const start = word.length - 1
  const last = word.charCodeAt(start)
  if (last === 0x6c /* l */) return start >= r2 && word.endsWith('ll') ? word.slice(0, -1) : word
  if (last !== 0x65 /* e */) return word
  return start >= r2 || (start >= r1 && !endsInShortSyllable(word, start)) ? word.slice(0, -1) : word
}

/** Whether `word` up to `end` ends like "hop", "at" or "past". */
function endsInShortSyllable(word: string, end: number): boolean {
  if (end < 2 || isVowel(word, end - 1) || !isVowel(word, end - 2)) return word.endsWith('past', end)
  if (end === 2) return true
  return (!isVowel(word, end - 3) && !'wxY'.includes(word.charAt(end - 1))) || word.endsWith('past', end)
}

function hasVowel(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true
  return false
}

function isVowel(word: string, at: number): boolean {
  switch (word.charCodeAt(at)) {
    case 0x61:
    case 0x65:
    case 0x69:
    case 0x6f:
    case 0x75:
    case 0x79:
      return true
    default:
      return false
  }
}
