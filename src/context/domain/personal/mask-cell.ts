import { textOfBytes } from '../sql/query.ts'
import { isCard } from './check-digits.ts'
import { isFamilyName, isGivenName } from './given-names.ts'
import { maskOf, type PersonalKind } from './kinds.ts'
import { maskText } from './mask-text.ts'
import { mayNameSomebody, personalByName, saysPerson } from './personal-name.ts'
import { subjectOf, type Subject } from './table-subject.ts'
import { looksLikeName } from './whole-value.ts'

/** Context of the texts in a table or a column. */
export interface CellContext {
  readonly subject: Subject | undefined
  /** Kinds that are not personal here: machine addresses in a table of machines. */
  readonly except: readonly PersonalKind[]
}

/** Masks everything personal in a value; JSON keys and XML tags are read like column names. */
export function maskCell(text: string, context: CellContext): string {
  const bytes = textOfBytes(text)
  if (bytes !== text) return maskText(bytes).kinds.length > 0 ? maskOf('private') : text
  if (/^\s*[[{]/.test(text)) {
    const parsed = jsonOf(text)
    if (parsed !== undefined) {
      const masked = JSON.stringify(maskJson(parsed, '', context))
      return masked === JSON.stringify(parsed) ? text : masked
    }
    return maskPlain(
      text.replaceAll(PAIRS, (hit, key: string, value: string) => maskPair(hit, key, value, context)),
      context,
    )
  }
  if (/^\s*</.test(text))
    return maskPlain(
      text.replaceAll(TAGS, (hit, key: string, value: string) => maskPair(hit, key, value, context)),
      context,
    )
  return maskPlain(text, context)
}

// Truncated JSON, and XML elements with text alone.
const PAIRS = /"([^"\\]{1,60})"\s{0,4}:\s{0,4}("(?:[^"\\]|\\.){0,20000}"?|-?[\d.]{1,30})/g
const TAGS = /<([\w.:-]{1,60})(?: [^<>]{0,200})?>([^<>]{1,2000})(?=<)/g

function maskPair(hit: string, key: string, value: string, { subject }: CellContext): string {
  const kind = personalByName(key, subject)
  return kind === undefined
    ? hit
    : hit.slice(0, hit.length - value.length) + (value.startsWith('"') ? `"${maskOf(kind)}"` : maskOf(kind))
}

/** In a text of a few words only a whole name counts: articles are named after people too. */
function maskPlain(text: string, { except }: CellContext): string {
  const words = text.trim().split(/\s+/)
  const isShort = words.length <= 4
  const isName = isShort && words.length >= 2 && isGivenName(words[0]!) && isFamilyName(words.at(-1)!)
  return maskText(text, isShort && !isName ? [...except, 'name'] : except).text
}

function maskJson(value: unknown, key: string, context: CellContext): unknown {
  if (Array.isArray(value)) return value.map((item) => maskJson(item, key, context))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value)
    const subject =
      entries.filter(([name]) => saysPerson(name)).length > 0 ? 'person' : (subjectOf(key) ?? context.subject)
    return Object.fromEntries(entries.map(([name, inner]) => [name, maskJson(inner, name, { ...context, subject })]))
  }
  if (value === null || value === '' || typeof value === 'boolean') return value
  const kind = key === '' ? undefined : personalByName(key, context.subject)
  if (kind !== undefined && !context.except.includes(kind)) return maskOf(kind)
  const text = String(value)
  if (mayNameSomebody(key) && looksLikeName(text)) return maskOf('name')
  if (/^\d{13,19}$/.test(text)) return isCard(text) ? maskOf('card') : value
  return typeof value === 'string' ? maskPlain(text, context) : value
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
