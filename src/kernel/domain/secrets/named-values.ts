import { entropy, isPlaceholder, isPublished, isRandom, isWordy } from './judge.ts'
import { findSeedAfter, SEED_NAMES, SEED_REACH } from './seed-phrases.ts'
import type { Span } from './spans.ts'

/**
 * Finds values next to the name of a secret: `password: x`, `API_KEY=x`, `--token x`, `<secret>x</secret>`, `| pwd | x
 * |`. Call the result, in order, at each position that may start with one of NAME_BEGINNINGS.
 */
export function openNamedValues(text: string, add: (span: Span) => void): (at: number) => void {
  let next = 0
  let afterSeed = 0
  let read = { to: 0, names: 0 }
  return (at) => {
    if (at < next) return
    NAME.lastIndex = at
    const hit = NAME.exec(text)
    if (hit === null) return
    const end = NAME.lastIndex
    next = end
    if (hit.groups!['seed'] !== undefined) {
      if (at >= afterSeed) findSeedAfter(text, end, add)
      afterSeed = Math.max(afterSeed, end + SEED_REACH)
      return
    }
    // `a=b=c`: a value may begin with a name, but not with several.
    read = at < read.to ? { ...read, names: read.names + 1 } : { to: 0, names: 0 }
    if (read.names > MOST_NESTED) {
      next = read.to
      return
    }
    const name = readName(text, at, end)
    if (name === undefined) return
    const value = readValue(text, end, name)
    if (value !== undefined) read = { ...read, to: Math.max(read.to, value.from + value.text.length) }
    const found =
      value !== undefined && isSecret(name, value, text)
        ? value
        : (readDefault(text, end, name) ?? readInSentence(text, end, name))
    if (found !== undefined) add([found.from, found.from + found.text.length])
  }
}

const MOST_NESTED = 3

// In English, German, French and Spanish; diacritics are optional.
const WORDS = [
  `(?<seed>${SEED_NAMES})s?`,
  'secreto?',
  'schl(?:ü|ue|u|u\u0308)ssel',
  'pass(?:w(?:or)?[dt]|phrase|code)?',
  'p(?:sk|wd?|at|hrase[ _-](?:secr[èe]te|de[ _-]passe)|alabra[ _-]secreta)',
  'token',
  'k(?:ey|ennwort)',
  'cred(?:ential)?s?',
  "cl(?:(?:é|e\u0301?)[ _-](?:secr[èe]te|priv[ée]e|d['’_-]?(?:api|acc[èe]s|chiffrement))|ave(?:[ _-](?:secreta|privada|de[ _-](?:acceso|api|cifrado)))?)",
  'contrase(?:ñ|n|n\u0303|ny|ni)a',
  'auth',
  'm(?:ots?[ _-]?de[ _-]?passe|dp)',
  'geheim(?:nis|wort)',
  "jeton(?:[ _-]d['’ _-]?(?:acc[èe]s|api))?",
  'llave[ _-](?:secreta|privada)',
  'losungswort',
  'wif',
]

// End of a name, up to the required separator. A plural `s` would be a count or a list.
const NAME = new RegExp(
  `(?:${WORDS.join('|')})(?:[_-](?:prod|production|dev|test|live|staging|old|new|base64|base|b64|raw|value|text|plain|plaintext|data|\\d{1,2})|\\d{1,2})?(?=["'\`\\]\\\\)*]{0,9}[ \\t]{0,24}(?:[:=|,>(?-]|%3[AD]|&quot;|is |was |to |["'])|[ \\t]+[^\\s=:(]|<\\/(?:key|name|string|t[dh]|dt|strong|b|code)>|:[*_]{0,3}[ \\t]?\\r?\\n|["']?,?\\s{1,40}["']?value["']?[ \\t]?[:=])`,
  'iy',
)
export const NAME_BEGINNINGS: readonly string[] =
  'see mne sec rec bac wal wie phr fra mot pal sch pas psk pw pat tok key ken cre cle clé cla con aut mdp geh jet lla los wif'.split(
    ' ',
  )

type Strength = 'password' | 'token' | 'key'

interface Name {
  readonly strength: Strength
  /** Whole identifier. */
  readonly text: string
  readonly from: number
}

// Words before the last word of a name that make the name harmless.
const HARMLESS = new Set(
  `public pub primary foreign partition sort cache object idempotency dedup deduplication group unique lookup index row routing message translation query map registry bucket publishable anon range hash event metric label sub
  natural surrogate composite schema config setting settings feature flag arrow enter escape hot shortcut any press known authorized max min num next prev previous page continuation cursor csrf xsrf design color colour sync
  delimiter separator bos eos pad unk mask special stop count total cancel cancellation injection di lexer syntax s3 i18n react list`.split(
    /\s+/,
  ),
)

function isHarmless(name: string): boolean {
  const words = name.split(/[_. -]+|(?<=[a-z0-9])(?=[A-Z])/).filter((word) => word !== '')
  return (
    (words.length > 1 && HARMLESS.has(words.at(-2)!.toLowerCase())) ||
    /^(?:public|primary|foreign|cache|publishable)key$/i.test(words.at(-1) ?? '')
  )
}

function readName(text: string, from: number, to: number): Name | undefined {
  let start = from
  const lowest = Math.max(0, from - 48)
  while (start > lowest && isNamePart(text.charCodeAt(start - 1))) start--
  const whole = text.slice(start, to).replace(/^[-.]+/, '')
  const word = /\p{L}+/u.exec(text.slice(from, to))![0].toLowerCase()
  const before = from > start ? text[from - 1]! : ''
  const isApart = !/[A-Za-z]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(text[from]!))
  if (isHarmless(whole) || /\barn:[^\s"']{0,150}$/.test(text.slice(Math.max(0, start - 160), start))) return undefined
  const name = (strength: Strength): Name => ({ strength, text: whole, from: start })
  if (/^passw|^passph|^passc|wort$|^mots?$|^mdp$|^phrase$|^contras|^palabra$/.test(word)) return name('password')
  if (word === 'clave' || word === 'llave')
    return isApart ? name(/secreta|privada|api|cifrado/i.test(text.slice(from, to)) ? 'token' : 'password') : undefined
  if (/^(?:psk|pw|pat|wif|mdp)$/.test(word) && /\d[A-Za-z]*$/.test(text.slice(start, from))) return undefined
  if (/^(?:pass|psk|pwd|pw)$/.test(word))
    return isApart ||
      /(?:db|user|smtp|root|ftp|mail|my|pg|sql|store|key|bind|admin|redis|ssh)$/i.test(text.slice(start, from))
      ? name('password')
      : undefined
  if (/^(?:secreto?|token|geheimnis|jeton|wif)$|^cl|^cred|^schl/.test(word)) return name('token')
  if (word === 'key') {
    const said = whole.length === to - from ? `${wordBefore(text, start)}${whole}` : whole
    return isQualifiedKey(said, isApart) && !isHarmless(said)
      ? name(/(?:api|secret|private|access|auth\w*)[_. -]?key/i.test(said) ? 'token' : 'key')
      : undefined
  }
  if (word === 'auth') return /^"?_?auth$/i.test(whole) || /[_-](?:auth)$/i.test(whole) ? name('key') : undefined
  return isApart && whole.length > 3 ? name('key') : undefined
}

/** Word before a name: `api ` of `api key`. */
const wordBefore = (text: string, at: number): string =>
  /[A-Za-z]{1,20} $/.exec(text.slice(Math.max(0, at - 21), at))?.[0] ?? ''

/** Whether `key` is preceded by a word for its purpose; alone it is too general. */
const isQualifiedKey = (whole: string, isApart: boolean): boolean =>
  /(?:api|secret|private|priv|access|auth\w*|encrypt\w*|decrypt\w*|sign\w*|master|service|session|app\w*|account|licen[cs]e|webhook|shared|preshared|client|admin|deploy|user|server|write|ingest|rest|integration|personal|hmac|aes|rsa|jwt|cookie|storage|functions?|host|function|subscription|security)[_. -]?key/i.test(
    whole,
  ) ||
  (isApart && /^[A-Z][A-Z0-9_]*_KEY/.test(whole))

/** Letters, digits, `_`, `-` and `.`. */
const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 95 ||
  code === 45 ||
  code === 46

interface Value {
  readonly text: string
  readonly from: number
  readonly isQuoted: boolean
  /** Joined to the name only by a space, a comma or a bracket, as in prose, calls and tables. */
  readonly isLoose: boolean
  /** True if on the line below its name. */
  readonly isBelow: boolean
  /** Is at the end of its line. */
  readonly isLast: boolean
}

// After the name: closing quotes and brackets, the separator, an opening quote.
const TIGHT =
  /(?:&quot;|["'`\]\\)*]{0,9})[ \t]{0,24}(?:<\/(?:key|name|string|t[dh]|dt|strong|b|code)>:?\s{0,40}(?:<(?:string|value|td|dd|code)>)?|["']?\s{0,20}(?:\/>|value[ \t]?=[ \t]?|,?\s{0,40}["']?value["']?[ \t]?[:=][ \t]?)|:[ \t]?[|>][-+]?\r?\n[ \t]{1,40}|:[*_]{0,3}[ \t]?\r?\n[ \t>]{0,12}|=>|[:?|]?={1,3}|:-|:|>|\|\||\?\?|%3[AD])[*_ \t]{0,24}(?:&quot;|%22)?/iy
const IS = 'is|was|are|to|=|→|->|ist|war|lautet|hei(?:ß|ss)t|auf|est|était|devient|es|era|será|son|[-–—]'
const LOOSE = new RegExp(
  `["'\`\\]\\\\)*]{0,4}(?:[ \\t]{0,24}[,|(][ \\t]{0,24}|[ \\t]+(?:${IS})[ \\t:]+|[ \\t]+(?=["'])|[ \\t]{1,24})`,
  'iy',
)
const QUOTED =
  /\\{0,7}(?:"(?<double>[^"\n\\]{4,8192})\\?"|'(?<single>[^'\n\\]{4,8192})\\?'|`(?<back>[^`\n\\]{4,8192})\\?`|[«“„‘‚‹][ \u00A0\u202F]?(?<curly>[^\s»”“’‘›\n\\]{4,256})[ \u00A0\u202F]?[»”“’‘›])/dy
// A backslash before a quote is part of the quote; before a letter it is an escaped line break, and there is no value.
const BARE = /(?:\\{0,7}["'`])?(?<bare>[^\s"'`,;<>|\\(){}[\]]{4,8192})/dy

function readValue(text: string, at: number, name: Name): Value | undefined {
  TIGHT.lastIndex = at
  let isLoose = false
  if (!TIGHT.test(text)) {
    LOOSE.lastIndex = at
    if (!LOOSE.test(text)) return undefined
    isLoose = true
  }
  const start = isLoose ? LOOSE.lastIndex : TIGHT.lastIndex
  QUOTED.lastIndex = start
  const quoted = QUOTED.exec(text)
  const pattern = quoted === null ? BARE : QUOTED
  BARE.lastIndex = start
  const found = quoted ?? BARE.exec(text)
  if (found === null) return undefined
  const [[, [from, to]]] = Object.entries(found.indices!.groups!).filter(([, place]) => place !== undefined) as [
    [string, [number, number]],
  ]
  const end = pattern.lastIndex
  const next = text[end] ?? '\n'
  if (quoted === null && (next === '(' || next === '[' || next === '{')) return undefined
  const isQuery = quoted === null && /[?&]/.test(text[name.from - 1] ?? '')
  const cut = isQuery ? '&' : /%3[AD](?:%22)?$/i.test(text.slice(start - 6, start)) ? '%2' : '&quot;'
  const raw = text.slice(from, to).split(cut, 1)[0]!
  const value = quoted === null && name.strength !== 'password' ? raw.replace(/[.!?:*_]+$/, '') : raw
  const isBelow = /:[*_]{0,3}[ \t]?\r?\n/.test(text.slice(at, start))
  return {
    text: value,
    from,
    isQuoted: quoted !== null,
    isLoose,
    isBelow,
    isLast: /^[ \t]*(?:[#;].*)?$/.test(lineRest(text, end)),
  }
}

/** `variable "db_password" { … default = "x" }` and similar in YAML, JSON and calls: the value is an attribute. */
function readDefault(text: string, at: number, name: Name): Value | undefined {
  const opened = /^["']?\)?(?:[ \t]*:?[ \t]*[{(,]|:[ \t]*\r?\n)/.exec(text.slice(at, at + 12))
  if (opened === null) return undefined
  const block = text.slice(at + opened[0].length, at + opened[0].length + LONGEST_BLOCK)
  const isYaml = opened[0].endsWith('\n')
  const depth = isYaml ? /[^\n]*$/.exec(text.slice(Math.max(0, name.from - 40), name.from))![0].length + 1 : 0
  const end = block.search(isYaml ? new RegExp(`^[ \\t]{0,${Math.min(depth - 1, 40)}}\\S`, 'm') : /[})]|\n[ \t]*\n/)
  const found = ATTRIBUTE.exec(end < 0 ? block : block.slice(0, end))
  if (found === null) return undefined
  const value = readValue(text, at + opened[0].length + found.index + found[0].length, name)
  return value !== undefined && !value.isLoose && isSecret(name, value, text) ? value : undefined
}

const LONGEST_BLOCK = 300
const ATTRIBUTE = /(?<![\w-])(?:default|fallback|value)(?:_?value)?(?=["']?[ \t]{0,16}[:=])/i

/** Reads a value separated from its name by the words of a sentence; only one that cannot be a word counts. */
function readInSentence(text: string, at: number, name: Name): Value | undefined {
  SENTENCE.lastIndex = at
  const found = SENTENCE.exec(text)
  if (found === null) return undefined
  const [from, to] = found.indices!.groups!['value']!
  const candidate = text.slice(from, to).replace(/[.,;:!?)»”'"`*]+$/, '')
  const value = { text: candidate, from, isQuoted: false, isLoose: true, isBelow: false, isLast: false }
  if (isPlaceholder(candidate) || isCode(value) || isAddressOrPath(candidate)) return undefined
  const isTold = found.groups!['is'] !== undefined || candidate.length >= 10
  if (name.strength === 'password' && isTold && isMixed(candidate)) return value
  return candidate.length >= 20 && !isPublished(candidate) && isRandom(candidate) ? value : undefined
}

const SENTENCE = new RegExp(
  `["'\`*]{0,3}(?:[ \\t,][^\\n=(){}<>;"\`|]{0,80}?(?<is>[ \\t](?:${IS}|:)[ \\t:]|:[ \\t])|[ \\t]?\\(|(?=[ \\t]))[ \\t]{0,4}["'\`«“„*]{0,3}[ \\u00A0\\u202F]?(?<value>[^\\s"'\`<>|\\\\(){}[\\],;]{7,512})`,
  'diy',
)

/** Whether a text has digits, and letters of both cases or another character. */
export const isMixed = (text: string): boolean =>
  /[A-Za-z]/.test(text) &&
  /\d[A-Za-z]|[!#$%&*+?^~@]\w/.test(text) &&
  /\d/.test(text) &&
  (/[a-z]/.test(text) ? /[A-Z]|[!#$%&*+?^~@]/.test(text) : /[!#$%&*+?^~@]/.test(text)) &&
  !isIdentifier(text) &&
  !isWordyName(text) &&
  (!/[-_].*[-_]/.test(text) || isRandom(text)) &&
  !isHash(text)

const isHash = (text: string): boolean => /^(?:sha\d|md5|v?\d+[.x])/i.test(text)

const lineRest = (text: string, at: number): string => text.slice(at, at + 80).split('\n', 1)[0]!

const TABLE_ROW = /^[ \t]*\|.*\|[ \t]*$/

function isSecret(name: Name, value: Value, text: string): boolean {
  const { text: candidate } = value
  if (
    isPlaceholder(candidate) ||
    isCode(value) ||
    (isAddressOrPath(candidate) && !(candidate.startsWith('/') && isRandom(candidate)))
  )
    return false
  if (name.strength === 'password') return isPassword(name, value, text)
  if (/\s/.test(candidate)) return candidate.length >= 40 && entropy(candidate) > 4.6 && !isWordy(candidate)
  if (name.strength === 'key' && candidate.length < 16)
    return (
      /auth$/i.test(name.text) &&
      candidate.length >= 12 &&
      /^[A-Za-z0-9+/]+={0,2}$/.test(candidate) &&
      isRandom(candidate)
    )
  return candidate.length >= 8 && !isPublished(candidate) && isRandom(candidate)
}

function isPassword(name: Name, value: Value, text: string): boolean {
  const { text: candidate, isLoose } = value
  const hasDigit = /\d/.test(candidate)
  const hasLetter = /[A-Za-z]/.test(candidate)
  if (/\s/.test(candidate))
    return (/passphrase$/i.test(name.text) && isPhrase(candidate)) || /^[a-z]{4}(?: [a-z]{4}){3}$/.test(candidate)
  // A name without a value on its line is usually an empty setting.
  if (value.isBelow && !(value.isLast && isRandom(candidate) && isMixed(candidate))) return false
  if (candidate.length < 6 || (/^[\d.,:%/x-]+$/.test(candidate) && candidate.length < 8)) return false
  const isTable = isLoose && TABLE_ROW.test(lineOf(text, value.from))
  const isFlag = isLoose && (text[name.from] === '-' || text[name.from - 1] === '-')
  const isLogin = isLoose && /\b(?:login|machine)[ \t]/.test(text.slice(Math.max(0, name.from - 200), name.from))
  const isInstruction =
    isLoose &&
    /^[ \t]*(?:ENV|ARG|setx?)[ \t]+\w+$/i.test(
      lineOf(text, value.from).slice(0, lineOf(text, value.from).indexOf(value.text)).trimEnd(),
    )
  const isStatement =
    isLoose && value.isQuoted && /\b(?:user|role|login|identified|alter|create)\b/i.test(lineOf(text, value.from))
  if (isLoose && !(isTable || isFlag || isLogin || isStatement || isInstruction))
    return (
      hasDigit &&
      hasLetter &&
      candidate.length >= 7 &&
      !isIdentifier(candidate) &&
      (value.isQuoted || saysIs(text, value.from)) &&
      !isWordyName(candidate)
    )
  if (
    /^pw?$|^pass$|^pwd$/i.test(name.text) &&
    !(hasDigit && hasLetter) &&
    !value.isQuoted &&
    !(candidate.length >= 8 && /[a-z][A-Z]/.test(candidate))
  )
    return false
  if (hasDigit && hasLetter) return !isWordyName(candidate)
  if (hasDigit) return (candidate.length >= 8 && !/^[\d.,:%/x-]+$/.test(candidate)) || /^\d{8,}$/.test(candidate)
  if (!/^[A-Za-z]+$/.test(candidate))
    return hasLetter && !/^[\w-]+$/.test(candidate)
      ? !isSentencePart(candidate)
      : /^[a-z]+(?:-[a-z]+){2,}$/.test(candidate) && candidate.length >= 16
  return isLettersOnlyPassword(name, value)
}

/** Whether a word of letters is a password: only if it is unlikely to be code or prose. */
function isLettersOnlyPassword(name: Name, { text: candidate, isQuoted, isLast, isLoose }: Value): boolean {
  if (candidate.length < 8 || NO_PASSWORD.test(candidate)) return false
  if (
    /^[A-Z][a-z]+$/.test(candidate) ||
    /^[a-z]+(?:[A-Z][a-z]+)+$/.test(candidate) ||
    (/^[A-Z]+$/.test(candidate) && !isQuoted)
  )
    return candidate.length >= 20
  if (candidate.length <= 12 && /(?:ed|ing|able|ible|tion|ment|ive|ous|ory|ional|ally|ness)$/.test(candidate))
    return false
  return isQuoted || isLast || isLoose || /^[A-Z0-9_]+$/.test(name.text)
}

const NO_PASSWORD =
  /passw|pwd|secret|token|credential|^(?:string|varchar|boolean|number|integer|unknown|optional|required|readonly|undefined|function|interface|disabled|enabled|hidden|username|keychain|keyring|plaintext|encrypted|bcrypt|argon|scrypt|authentication|authorization|login|administrator|anonymous|whatever|anything|something|environment|configuration|postgres(?:ql)?|localhost|manager|provider|connection|database|settings|internal|external|minimum|maximum|characters|alphanumeric|lowercase|uppercase|sensitive|confidential|important|temporary|forgotten|mandatory|elsewhere|separately|recovery|mismatch|incorrect|default|autocomplete|textfield|textbox|nullable|notnull|validator|generate|generated|promise|response|request|template|variable|parameter|argument|property|attribute)s?$/i

const isPhrase = (text: string): boolean =>
  /^[A-Za-z0-9]+(?: [A-Za-z0-9]+){2,}$/.test(text) &&
  !/\b(?:the|your|enter|for|an?|is|must|to|of|and|no|not|please|with|this|that|password|passphrase)\b/i.test(text)

/** Whether a text is words with a number: `user_id_2`, `min8chars`. */
const isWordyName = (text: string): boolean =>
  /^[a-z]+(?:[_.-][a-z]+)+[_.-]?\d{0,2}$/i.test(text) ||
  /^[a-z]+\d?(?:[A-Z][a-z]+\d?){2,}$/.test(text) ||
  (isWordy(text) && /^[a-z]{1,3}\d{1,2}[a-z]+$/.test(text))

const isSentencePart = (text: string): boolean =>
  /^[A-Z]?[a-z]+[.!?:…]+$/.test(text) || /[/\\]/.test(text) || /^[A-Za-z]+'[a-z]+$/.test(text)

const SAYS_IS = new RegExp(`(?:${IS})[ \\t:]+["'\`*«“„]{0,3}[ \\u00A0]?$`, 'i')
const saysIs = (text: string, at: number): boolean => SAYS_IS.test(text.slice(Math.max(0, at - 14), at))

function lineOf(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 400), at)
  return before.slice(before.lastIndexOf('\n') + 1) + text.slice(at, at + 400).split('\n', 1)[0]
}

/**
 * Whether a value is code: the path of a variable, a call, a type: `request.body.password`, `a::b`, `x->y`,
 * `user?.token`.
 */
function isCode({ text, isQuoted }: Value): boolean {
  if (isQuoted) return /\$\{|\{\{|^%\w/.test(text)
  return (
    (/^[A-Za-z_$][\w$]*(?:(?:\?\.|!?\.|::|->)[A-Za-z_$][\w$]*)+[!?]?$/.test(text) && !isRandom(text)) ||
    /^(?:await|new|typeof|this\b|self\b|z\.|\w+\.get)/.test(text)
  )
}

const isIdentifier = (text: string): boolean => /^[a-z]+(?:[A-Z0-9][a-z]*)*$/.test(text) && /[a-z][A-Z]/.test(text)

const isAddressOrPath = (text: string): boolean =>
  /^[a-z][a-z+.-]{1,20}:\/\/|^(?:~|\.{1,2})?\/[\w.@-]+\/|^[A-Za-z]:\\|^\.{1,2}\/|^data:|^(?:\/[\w.-]+)+\.(?:pem|key|txt|json|ya?ml|env|crt|pub)$/i.test(
    text,
  )
