import { DAY, readTime, type TimeSpan } from '../../../kernel/domain/input/spoken-time.ts'

/** The time that a question names. */
export interface QuestionTime {
  /** Undefined if the question only asks for the newest or oldest. */
  readonly span: TimeSpan | undefined
  /** The period as Ken understood it: `15 November 2026`. */
  readonly shown: string
  readonly order: 'newest' | 'oldest' | undefined
  /** The question without the words for the time. */
  readonly rest: string
}

/**
 * Reads a time from a question in English, German, French or Spanish. Undefined if there is none, or if the time is a
 * topic rather than when something happened ("the outage of 3 May", "due on Monday").
 */
export function timeInQuestion(text: string, now: number): QuestionTime | undefined {
  if (text.length > LONGEST) return undefined
  for (const { pattern, span } of PERIODS) {
    const found = pattern.exec(text)
    if (found === null || isTopic(text, found)) continue
    const read = span(found.groups ?? {}, now)
    if (read !== undefined)
      return { ...read, order: undefined, shown: shownSpan(read.span, now), rest: without(text, found) }
  }
  for (const [order, pattern] of ORDERS) {
    const found = pattern.exec(text)
    if (found !== null) return { span: undefined, shown: '', order, rest: without(text, found, found.groups?.['keep']) }
  }
  return undefined
}

const LONGEST = 400

interface Period {
  readonly pattern: RegExp
  span(groups: Readonly<Record<string, string | undefined>>, now: number): { readonly span: TimeSpan } | undefined
}

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'jänner', 'janvier', 'enero'],
  ['february', 'feb', 'februar', 'février', 'febrero'],
  ['march', 'mar', 'märz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'julio'],
  ['august', 'aug', 'août', 'agosto'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'décembre', 'diciembre'],
]
const WEEKDAYS: readonly (readonly string[])[] = [
  ['sunday', 'sonntag', 'dimanche', 'domingo'],
  ['monday', 'montag', 'lundi', 'lunes'],
  ['tuesday', 'dienstag', 'mardi', 'martes'],
  ['wednesday', 'mittwoch', 'mercredi', 'miércoles'],
  ['thursday', 'donnerstag', 'jeudi', 'jueves'],
  ['friday', 'freitag', 'vendredi', 'viernes'],
  ['saturday', 'samstag', 'samedi', 'sábado'],
]
const NUMBERS: readonly (readonly string[])[] = [
  [],
  ['a', 'an', 'one', 'ein', 'einem', 'einer', 'un', 'une', 'una'],
  ['two', 'zwei', 'deux', 'dos'],
  ['three', 'drei', 'trois', 'tres'],
  ['four', 'vier', 'quatre', 'cuatro'],
  ['five', 'fünf', 'cinq', 'cinco'],
  ['six', 'sechs', 'seis'],
]
const UNITS = [
  { days: 1, names: ['day', 'days', 'tag', 'tage', 'tagen', 'jour', 'jours', 'día', 'días'] },
  { days: 7, names: ['week', 'weeks', 'woche', 'wochen', 'semaine', 'semaines', 'semana', 'semanas'] },
  { days: 30, names: ['month', 'months', 'monat', 'monate', 'monaten', 'mois', 'mes', 'meses'] },
]

const TWO_DAYS_AGO = 'the day before yesterday'
/** Words for whole days, weeks, months and years, by their names in `readTime`. */
const DAY_WORDS: readonly (readonly [string, ...string[]])[] = [
  ['today', 'heute', 'aujourd’hui', "aujourd'hui", 'hoy'],
  ['yesterday', 'gestern', 'hier', 'ayer'],
  [TWO_DAYS_AGO, 'vorgestern', 'avant-hier', 'anteayer'],
  ['this week', 'diese woche', 'dieser woche', 'cette semaine', 'esta semana'],
  ['last week', 'letzte woche', 'letzter woche', 'la semaine dernière', 'la semaine passée', 'la semana pasada'],
  ['this month', 'diesen monat', 'diesem monat', 'ce mois-ci', 'este mes'],
  ['last month', 'letzten monat', 'letztem monat', 'le mois dernier', 'el mes pasado'],
  ['this year', 'dieses jahr', 'diesem jahr', 'cette année', 'este año'],
  ['last year', 'letztes jahr', 'letztem jahr', "l'année dernière", 'l’année dernière', 'el año pasado'],
]

const any = (words: Iterable<string>): string => [...words].toSorted((a, b) => b.length - a.length).join('|')
const MONTH = any(MONTHS.flat())
const WEEKDAY = any(WEEKDAYS.flat())
const NUMBER = `\\d{1,3}|${any(NUMBERS.flat())}`
const UNIT = any(UNITS.flatMap(({ names }) => names))
/** Words before a time that mark it as a start or an end. */
const SIDE =
  "(?:(?<since>since|after|seit(?: dem)?|nach(?: dem)?|depuis(?: le)?|après(?: le)?|desde(?: el)?|después del?)|(?<until>before|until|till|bis(?: zum)?|vor(?: dem)?|avant(?: le)?|jusqu[’']au|antes del?|hasta(?: el)?)) "
const ON = '(?:on|in|at|during|from|of|am|im|vom|le|du|en|au|el|del) (?:the )?'
const IN = `(?:${SIDE}|${ON})`

const pattern = (source: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}/._-])(?:${source})(?![\\p{L}\\p{N}/_-])`, 'iu')

const PERIODS: readonly Period[] = [
  {
    pattern: pattern(`(?:${IN})?(?<iso>\\d{4}-\\d{2}(?:-\\d{2})?)`),
    span: ({ iso, ...side }, now) => sided(readTime(iso!, now), side, now),
  },
  {
    pattern: pattern(
      `(?:${IN})?(?:(?<day>\\d{1,2})(?:st|nd|rd|th|er|\\.)?(?: of| de)? (?<month>${MONTH})|(?<monthFirst>${MONTH})\\.? (?<dayAfter>\\d{1,2})(?:st|nd|rd|th)?)(?:,?(?: de)? (?<year>\\d{4}))?`,
    ),
    span({ day, month, monthFirst, dayAfter, year, ...side }, now) {
      return sided(dayOf(year, monthOf(month ?? monthFirst!), Number(day ?? dayAfter), now), side, now)
    },
  },
  {
    pattern: pattern(`(?:${IN})?(?<month>${MONTH})(?: de)? (?<year>\\d{4})`),
    span: ({ month, year, ...side }, now) => sided(wholeMonth(year, monthOf(month!), now), side, now),
  },
  {
    pattern: pattern(`${IN}(?<month>${MONTH})`),
    span: ({ month, ...side }, now) => sided(wholeMonth(undefined, monthOf(month!), now), side, now),
  },
  {
    pattern: pattern(`(?:${SIDE})?(?<named>${any(DAY_WORDS.flat())})`),
    span: ({ named, ...side }, now) => sided(namedSpan(named!, now), side, now),
  },
  {
    pattern: pattern(
      `(?:${SIDE}(?:the )?|(?:on|last|this past|am|letzten|diesen|le|el) )(?<weekday>${WEEKDAY})s?(?: dernier| pasado)?|(?<late>${WEEKDAY}) (?:dernier|pasado)`,
    ),
    span({ weekday, late, ...side }, now) {
      const at = WEEKDAYS.findIndex((names) => names.includes((weekday ?? late!).toLowerCase()))
      return sided(readTime(WEEKDAYS[at]![0]!, now), side, now)
    },
  },
  {
    pattern: pattern(
      `(?<count>${NUMBER}) (?<unit>${UNIT}) ago|vor (?<vor>${NUMBER}) (?<einheit>${UNIT})|il y a (?<depuis>${NUMBER}) (?<unité>${UNIT})|hace (?<hace>${NUMBER}) (?<unidad>${UNIT})`,
    ),
    span({ count, unit, vor, einheit, depuis, unité, hace, unidad }, now) {
      const size = daysOf(unit ?? einheit ?? unité ?? unidad!)
      const middle = startOfDay(now) - numberOf(count ?? vor ?? depuis ?? hace!) * size * DAY
      // "Two weeks ago" is somewhere in that week.
      const around = Math.floor(size / 2) * DAY
      return { span: { from: middle - around, to: middle + around + DAY - 1 } }
    },
  },
  {
    pattern: pattern(
      `(?:(?:in|over|during|within) )?(?:the )?(?:last|past) (?<count>${NUMBER}) (?<unit>${UNIT})|in den letzten (?<zahl>${NUMBER}) (?<einheit>${UNIT})|(?:ces|les) (?<nombre>${NUMBER}) derniers? (?<unité>${UNIT})|(?:en )?los últimos (?<cuenta>${NUMBER}) (?<unidad>${UNIT})`,
    ),
    span({ count, unit, zahl, einheit, nombre, unité, cuenta, unidad }, now) {
      const size = daysOf(unit ?? einheit ?? unité ?? unidad!)
      const days = numberOf(count ?? zahl ?? nombre ?? cuenta!) * size
      return { span: { from: startOfDay(now) - days * DAY, to: now } }
    },
  },
]

const ORDERS: readonly (readonly ['newest' | 'oldest', RegExp])[] = [
  [
    'newest',
    /\b(?:most recently|zuletzt|en dernier(?: lieu)?|por última vez)\b|(?<=\b(?:did|do|was|were|we|i|you|change|changed|work on|worked on|run|ran|touch|edit|edited|fix|fixed)\b[^?.]{0,60}?)\blast(?=\s*[?.]?\s*$)/iu,
  ],
  [
    'newest',
    /\b(?:the |our |my )?(?:last|latest|most recent|newest) (?<keep>(?:session|conversation|chat|thing|time)s?)\b|\b(?:die |unsere )?letzte[nr]? (?:sitzung|unterhaltung)\b|\b(?:la |notre )?dernière (?:session|conversation)\b|\b(?:la )?última (?:sesión|conversación)\b/iu,
  ],
  [
    'oldest',
    /(?<=\b(?:did|do|was|were|we|i|you)\b[^?.]{0,60}?)\bfirst(?=\s*[?.]?\s*$)|\b(?:the |our |my )?(?:first|earliest|oldest) (?:session|conversation|chat)s?\b|\bzuerst\b|\ben premier(?: lieu)?\b/iu,
  ],
]

/** A time that qualifies a thing, or for which something is planned, is part of the topic. */
function isTopic(text: string, found: RegExpExecArray): boolean {
  const before = text.slice(0, found.index)
  const after = text.slice(found.index + found[0].length)
  if (
    /\b(?:due|deadline|planned|scheduled|release|version|until|by|for|for the|fällig|geplant|prévue?|previst[oa])\s*$/iu.test(
      before,
    )
  )
    return true
  // "the 3 May outage", "yesterday's incident"
  return /^(?:['’]s\s|\s+(?:outage|incident|release|meeting|deadline|version|report|invoice|migration|deploy(?:ment)?)\b)/iu.test(
    after,
  )
}

/** A text without the words that a pattern found in it. */
export const without = (text: string, found: RegExpExecArray, keep = ''): string =>
  `${text.slice(0, found.index)} ${keep} ${text.slice(found.index + found[0].length)}`
    .replace(/\s+/g, ' ')
    .replace(/\s+(?=[?.,!])/g, '')
    .trim()

const startOfDay = (time: number): number => Math.floor(time / DAY) * DAY
const numberOf = (text: string): number => {
  const at = NUMBERS.findIndex((names) => names.includes(text.toLowerCase()))
  return at < 0 ? Number(text) : at
}
const daysOf = (unit: string): number => UNITS.find(({ names }) => names.includes(unit.toLowerCase()))!.days
const monthOf = (name: string): number => MONTHS.findIndex((names) => names.includes(name.toLowerCase()))

/** Without a year, the most recent such date that is not in the future. */
function dayOf(year: string | undefined, month: number, day: number, now: number): TimeSpan | undefined {
  const on = (of: number) =>
    readTime(`${of}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`, now)
  if (year !== undefined) return on(Number(year))
  const current = new Date(now).getUTCFullYear()
  const here = on(current)
  return here !== undefined && here.from <= now ? here : on(current - 1)
}

function wholeMonth(year: string | undefined, month: number, now: number): TimeSpan | undefined {
  const date = new Date(now)
  const of = year ?? String(date.getUTCFullYear() - (month > date.getUTCMonth() ? 1 : 0))
  return readTime(`${of}-${String(month + 1).padStart(2, '0')}`, now)
}

function namedSpan(word: string, now: number): TimeSpan | undefined {
  const [meant] = DAY_WORDS.find((names) => names.includes(word.toLowerCase())) ?? []
  if (meant !== TWO_DAYS_AGO) return meant === undefined ? undefined : readTime(meant, now)
  const from = startOfDay(now) - 2 * DAY
  return { from, to: from + DAY - 1 }
}

function sided(
  span: TimeSpan | undefined,
  { since, until }: Readonly<Record<string, string | undefined>>,
  now: number,
): { readonly span: TimeSpan } | undefined {
  if (span === undefined) return undefined
  if (since !== undefined)
    return { span: { from: /^(?:after|nach|après|después)/i.test(since) ? span.to + 1 : span.from, to: now } }
  return { span: until === undefined ? span : { from: 0, to: span.from - 1 } }
}

/** `15 November 2026`, `9 to 15 November 2026`, `since 1 November 2026`, `before 1 November 2026`. */
function shownSpan({ from, to }: TimeSpan, now: number): string {
  if (from === 0) return `before ${dayShown(to + 1)}`
  if (to >= now && startOfDay(from) !== startOfDay(now)) return `since ${dayShown(from)}`
  return startOfDay(from) === startOfDay(to) ? dayShown(from) : `${dayShown(from)} to ${dayShown(to)}`
}

/** `15 November 2026`, in UTC. */
export const dayShown = (time: number): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(time)

/** Words of a question that only asks what there was: "what did we do". */
const FRAME = new Set(
  'what which who did do does done have has had we i you they us our my the a an of in on to was were is are be been it about happen happened happening change changed work worked working session sessions conversation conversations chat chats talk talked thing things time was haben habe hat wir ich du ist sind wurde gemacht getan passiert geschehen gearbeitet woran worüber gesprochen que qué qu quoi avons ai a est nous on fait travaillé passé sur parlé hicimos hice hemos hecho pasó trabajamos hablamos nosotros'.split(
    ' ',
  ),
)

/** Whether the rest of a question names no topic. */
export const hasNoTopic = (rest: string): boolean =>
  (rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => FRAME.has(word))
