import { AppError } from '../../../kernel/domain/errors.ts'
import { secretSpans } from '../../../kernel/domain/secrets/redact.ts'

interface MaskedText {
  /** Text with each secret as `[redacted 1]`, on its original line. */
  readonly text: string
  /** The secrets in the order of their marks, the first for `[redacted 1]`. */
  readonly secrets: readonly string[]
}

/**
 * Masks a text that a person may see and change. A secret over several lines has a mark on each line, so that line
 * numbers stay the same; a mark in the original text is kept as text.
 */
export function maskText(text: string): MaskedText {
  const secrets: string[] = []
  const marked = (secret: string): string => (secret === '' ? '' : `[redacted ${secrets.push(secret)}]`)
  const plain = (part: string): string => part.replaceAll(MARK, marked)
  let masked = ''
  let end = 0
  for (const [from, to] of secretSpans(text)) {
    masked += plain(text.slice(end, from)) + text.slice(from, to).split('\n').map(marked).join('\n')
    end = to
  }
  return { text: masked + plain(text.slice(end)), secrets }
}

const MARK = /\[redacted(?: \d{1,6})?\]/g

/**
 * Returns an edited masked text with the secrets of the original filled in. A mark must stay on its line as shown, or
 * be removed: otherwise a secret could be moved to a place that discloses it. Throws `invalid_input` with the line
 * number.
 */
export function unmaskText(edited: string, original: string): string {
  const { text, secrets } = maskText(original)
  if (!edited.includes('[redacted')) return edited
  const shown = new Set(text.split('\n').map((line) => line.trim()))
  const used = new Set<string>()
  return edited
    .split('\n')
    .map((line, at) =>
      line.replaceAll(MARK, (mark) => {
        const secret = secrets[Number(/\d+/.exec(mark)?.[0] ?? 0) - 1]
        if (secret === undefined || used.has(mark) || !shown.has(line.trim())) throw misplaced(mark, at + 1)
        used.add(mark)
        return secret
      }),
    )
    .join('\n')
}

const misplaced = (mark: string, line: number): AppError =>
  new AppError('invalid_input', `Line ${line} was changed around ${mark}, the placeholder of a secret.`, {
    hint: 'Restore the line, or write ${NAME} and set NAME in .env.',
    details: { line },
  })
