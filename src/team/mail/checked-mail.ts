import { AppError } from '../../kernel/domain/errors.ts'
import type { Mail } from '../ports/mailer.ts'

/** A line end in a header would start another header. */
export function assertOneLine({ to, subject }: Mail): void {
  if (/\p{Cc}/u.test(to) || /\p{Cc}/u.test(subject))
    throw new AppError('invalid_input', 'An address and a subject are one line each.')
}
