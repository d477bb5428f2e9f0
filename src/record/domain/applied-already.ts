import { AppError } from '../../kernel/domain/errors.ts'
import type { JournalEvent } from './journal/event.ts'

/** Thrown instead of applying a change again: the journal already has its event. */
export class AppliedAlready extends AppError {
  readonly event: JournalEvent

  constructor(event: JournalEvent) {
    super('conflict', 'This call was applied already.', { hint: 'Read the record for its result.' })
    this.event = event
  }
}
