import { redactSecrets, secretSpans } from './redact.ts'

/**
 * Redacts every text in a value, including field names; a text is judged together with its field name. Numbers, dates
 * and values without secrets stay unchanged.
 */
export function redactDeep<T>(value: T): { value: T; count: number } {
  // One check of all texts together: most answers have no secret, and many have thousands of short texts.
  if (secretSpans(textsIn(value).join('\n\n')).length === 0) return { value, count: 0 }
  let count = 0
  const clean = (text: string): string => {
    const redacted = redactSecrets(text)
    count += redacted.count
    return redacted.text
  }
  const cleanNamed = (name: string, text: string): string => {
    const cleaned = clean(text)
    if (cleaned !== text || !isLine(text) || secretSpans(named(name, text)).every(([from]) => from < name.length))
      return cleaned
    count++
    return '[redacted]'
  }
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(visit)
    return isPlain(part)
      ? Object.fromEntries(
          Object.entries(part).map(([key, inner]) => [
            clean(key),
            typeof inner === 'string' ? cleanNamed(key, inner) : visit(inner),
          ]),
        )
      : part
  }
  return { value: visit(value) as T, count }
}

/** All texts of a value, each beside its field name. */
export function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const part of value) textsIn(part, texts)
  else if (isPlain(value)) {
    for (const [key, part] of Object.entries(value)) {
      if (typeof part === 'string' && isLine(part)) texts.push(named(key, part))
      else {
        texts.push(key)
        textsIn(part, texts)
      }
    }
  }
  return texts
}

const named = (name: string, text: string): string => `${name}: "${text}"`

/** Whether a text can be judged by its field name: not too short or long, and on one line. */
const isLine = (text: string): boolean => text.length >= 6 && text.length <= 4_096 && !/["\n\\]/.test(text)

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}
