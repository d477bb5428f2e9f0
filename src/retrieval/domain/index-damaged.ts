import { AppError } from '../../kernel/domain/errors.ts'

/**
 * The index is incomplete or differs from the written data. It is derived, so the code that catches this rebuilds it.
 */
export class IndexDamaged extends AppError {
  /** The fault, as half a sentence. */
  readonly reason: string

  constructor(reason: string, cause?: unknown) {
    super('damaged', `The index cannot be trusted: ${reason}.`, {
      hint: 'Rebuild it from your files with `ken update`.',
      cause,
    })
    this.reason = reason
  }
}
