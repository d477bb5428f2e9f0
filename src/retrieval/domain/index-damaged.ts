import { AppError } from '../../kernel/domain/errors.ts'

/**
 * The index does not hold what was written into it, or not all of it. It is derived, so whoever meets this makes it
 * anew.
 */
export class IndexDamaged extends AppError {
  /** Half a sentence: what is wrong with it. */
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super('damaged', `The index cannot be trusted: ${reason}.`, {
      hint: '`ken update` makes it anew from your files.',
      cause,
    })
    this.reason = reason
  }
}
