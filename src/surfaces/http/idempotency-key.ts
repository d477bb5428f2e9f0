import { AppError } from '../../kernel/domain/errors.ts'
import { visibleDeep } from '../../kernel/domain/trust/visible.ts'
import type { Operation } from '../../operations/operation.ts'
import type { AppliedAlready } from '../../record/domain/applied-already.ts'

const HEADER = 'Idempotency-Key'
const KEY = /^[\x21-\x7e]{8,255}$/

/** Whether a key makes a difference: reads and repeatable writes need none, and other writes leave no event. */
export const takesKey = ({ effect, needs, input, turn, isRepeatable }: Operation): boolean =>
  effect === 'write' && needs.includes('record') && 'project_id' in input.shape && turn === undefined && !isRepeatable

/** The key of a call, if it needs one. A key that would promise more than is guaranteed is refused. */
export function keyOf(request: Request, operation: Operation, { takesKeys = false }): string | undefined {
  const key = request.headers.get(HEADER)?.replaceAll(/^"|"$/g, '')
  if (key === undefined || operation.effect === 'read' || operation.isRepeatable) return undefined
  if (!takesKeys || !takesKey(operation))
    throw new AppError('invalid_input', `${HEADER} is not available for ${operation.name} here.`, {
      hint: 'Send the call without it. Changes of a record on a team server take one.',
    })
  if (!KEY.test(key))
    throw new AppError('invalid_input', `${HEADER} must have 8 to 255 visible ASCII characters.`, {
      hint: 'Use a new UUID for each change.',
    })
  return key
}

/** The answer to a call that was applied before: the original answer is not kept, but the data it recorded is. */
export const replayed = ({ event: { id, at, operation, facts } }: AppliedAlready): Response =>
  Response.json(visibleDeep({ replayed: true, operation, at, event: id, facts }), {
    headers: { 'idempotent-replayed': 'true' },
  })

/** A person who guesses a key can compute the id of its event, and push an event of this id with any content. */
export const keyTaken = (): AppError =>
  new AppError('conflict', `This ${HEADER} is taken by another person's change.`, {
    hint: 'Nothing was changed. Send the call with a new UUID.',
  })

/** The header as OpenAPI shows it. */
export const KEY_PARAMETER = {
  name: HEADER,
  in: 'header',
  description: 'The same call with the same key changes the record once; a repeated one answers with what it recorded.',
  schema: { type: 'string', minLength: 8, maxLength: 255 },
}
