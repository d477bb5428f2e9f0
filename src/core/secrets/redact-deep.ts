import { redactSecrets } from './redact.ts'

/**
 * The value with every text in it redacted, names of fields too; numbers, dates and what has no secret stay as they
 * are.
 */
export function redactDeep<T>(value: T): { value: T; count: number } {
  // One look at all texts together: most answers have no secret, and many have thousands of short texts.
  if (redactSecrets(textsIn(value).join('\n\n')).count === 0) return { value, count: 0 }
  let count = 0
  const clean = (text: string): string => {
    const redacted = redactSecrets(text)
    count += redacted.count
    return redacted.text
  }
  const visit = (part: unknown): unknown => {
    if (typeof part === 'string') return clean(part)
    if (Array.isArray(part)) return part.map(visit)
    return isPlain(part)
      ? Object.fromEntries(Object.entries(part).map(([key, inner]) => [clean(key), visit(inner)]))
      : part
  }
  return { value: visit(value) as T, count }
}

function textsIn(value: unknown, texts: string[] = []): string[] {
  if (typeof value === 'string') texts.push(value)
  else if (Array.isArray(value)) for (const part of value) textsIn(part, texts)
  else if (isPlain(value)) {
    for (const [key, part] of Object.entries(value)) {
      texts.push(key)
      textsIn(part, texts)
    }
  }
  return texts
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value))
}
