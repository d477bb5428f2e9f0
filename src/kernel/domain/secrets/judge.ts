/** Whether a value is a stand-in for a secret: a reference, a mark to fill in, or a key from documentation. */
export function isPlaceholder(value: string): boolean {
  return REFERENCE.test(value) || STAND_IN.test(value) || isPublished(value) || isMonotonous(value)
}

/** Whether a value with a distinctive format is an example or a published key. */
export const isPublished = (value: string): boolean =>
  EXAMPLE.test(value) || PUBLISHED.some((known) => value.replace(/=+$/, '').endsWith(known))

/** `${X}`, `{{ x }}`, `$X`, `%X%`, `<your token>`, `***`, `op://vault/item`, `a.env.X`, `secrets.X`, `[redacted]`. */
const REFERENCE =
  /^(?:[$#@]?\{|\$\(|\$[A-Za-z_]|%\w+%|%[sdv]|<|\[|@\w+@|__\w+__$|\*+$|\.{3}|…|env[.:(]|vault:|op:\/\/|ref\+|ssm:|sops:|ENC\[|!|&|arn:|projects\/|secretsmanager:|keyvault|\w+\.env\b|os\.(?:environ|getenv)|System\.getenv|import\.meta|secrets?\.[A-Za-z_]|vars?\.[A-Za-z_]|data\.[a-z_]+\.)|\$\{|\{\{|%\(|\[redacted/i

const STAND_IN =
  /^(?:(?:my|your|the|an?|some|any|new|old|current|test|demo|fake|dummy|mock|sample|example|default|temp|user|username|db|database|admin|root|dev|local|super|very|not|no|top|bad|wrong|invalid|valid|correct|strong|weak|real|secure|random|long|plain|raw|hashed|encrypted|api|auth|access|client|bearer|jwt|service)[-_.\s]?){0,6}(?:pass(?:w(?:or)?d|phrase|code|wd)?|pwd|secret|token|key|api[-_]?key|credentials?|value|string|here|placeholder)s?[-_.]?(?:here|value|goes[-_]here|\d{0,4})[!?*]?$|^(?:change[-_]?(?:me|it|this)|replace[-_]?(?:me|this|with)|fill[-_]?me|fixme|todo)[-\w]*$|^(?:tbd|none|null|nil|undefined|true|false|yes|no|on|off|empty|unset|n\/a|foo|bar|baz|xyz|qux|foobar|foobarbaz|x{3,}|y{3,}|abc|abcdef|test|testing|guest|hidden|masked|censored)[-_.]?\d{0,4}[!?]?$|(?:your|change|replace|insert|enter|put|add|paste|fill)[-_ ](?:me|this|it|your|own|the|in|with|here|an?|[a-z]{1,20}[-_ ](?:here|key|token|secret|password))|placeholder|redacted|x{6,}|\*{4,}|\.{3}|<[a-z][\w -]{0,60}>/i

const EXAMPLE =
  /example|sample[-_]?(?:key|token)|dummy|placeholder|redacted|(?:^|[-_.])(?:fake|mock|test[-_]?(?:token|key|secret))(?:$|[-_.])|your[-_]?(?:api|token|key|secret|own|access)|x{6,}|X{6,}|0{12,}|\.{3}|\*{3}|abcdefghijklmnopqrstuvwxyz/i

/** Endings of keys printed in their issuer's documentation; a text that merely contains one is another key. */
const PUBLISHED: readonly string[] = [
  'test_4eC39HqLyjWDarjtT1zdp7dc',
  'test_BQokikJOvBiI2HlWgH4olfQ2',
  'SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  'dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'TJVA95OrM7E2cBab30RMHrHDcEfxjoYZgeFONFH7HgQ',
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw',
  'AnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs',
]

/** Whether a value is one character or a short pattern, repeated. */
function isMonotonous(value: string): boolean {
  return value.length >= 8 && new Set(value).size <= 3
}

/** Whether a value looks machine-made: letters and digits alternate as in no word, name, version or date. */
export function isRandom(value: string): boolean {
  const core = value.replaceAll(/[^A-Za-z0-9]/g, '')
  if (core.length < 8 || isHashOrDate(value) || isWordy(value)) return false
  if (entropy(core) < (core.length < 12 ? 2.4 : 2.75)) return false
  if (/^[A-Z2-7]{16,}$/.test(value) && /\d/.test(value)) return true
  const changes = classChanges(core)
  if (!/\d/.test(core)) return core.length >= 16 && changes >= core.length * 0.35
  return core.length >= 16
    ? changes >= core.length * 0.18 || isUnpronounceable(core)
    : changes >= Math.max(3, core.length * 0.25)
}

/** Whether a value is mostly words of a language or of code. Capitals count as words only between separators. */
export function isWordy(value: string): boolean {
  let wordy = 0
  let all = 0
  for (const [segment] of value.matchAll(/[A-Za-z0-9]+/g)) {
    all += segment.length
    const words = /^[A-Z]+$/.test(segment) ? [segment] : (segment.match(/[A-Z]?[a-z]+/g) ?? [])
    for (const word of words)
      if (word.length >= 4 && word.length <= 16 && isPronounceable(word.toLowerCase())) wordy += word.length
  }
  return wordy >= all * 0.6
}

const isPronounceable = (word: string): boolean =>
  /[aeiouy]/.test(word) && !/[bcdfghjklmnpqrstvwxz]{5}|[aeiouy]{4}|(.)\1\1|q(?!u)|[jvxzwq]{2}/.test(word)

const isUnpronounceable = (core: string): boolean =>
  /[bcdfghjklmnpqrstvwxz]{6}/i.test(core) && (core.match(/[bcdfghjklmnpqrstvwxz]{4}/gi)?.length ?? 0) * 8 >= core.length

const isHashOrDate = (value: string): boolean => /^(?:sha\d+|md5)[-:]|^\d{4}-\d\d-\d\d|^v?\d+\.\d+\.\d+/i.test(value)

function classChanges(text: string): number {
  let changes = 0
  let before = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const kind = code <= 57 ? 1 : code <= 90 ? 2 : 3
    if (before !== 0 && kind !== before) changes++
    before = kind
  }
  return changes
}

/** Shannon entropy, in bits per character. */
export function entropy(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}
