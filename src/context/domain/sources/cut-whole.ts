import { redactSecrets } from '../../../kernel/domain/secrets/redact.ts'
import { head } from '../../../kernel/domain/text.ts'

/**
 * The beginning of a text that is too long, and its full length. Redacts first, since half a secret would not be
 * recognised as one.
 */
export function cutWhole(text: string, most: number): string {
  if (text.length <= most) return text
  const safe = redactSecrets(text).text
  return safe.length <= most ? safe : `${head(safe, most).trimEnd()} … [cut: ${text.length} characters]`
}
