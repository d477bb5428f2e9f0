import { AppError } from '../kernel/domain/errors.ts'
import { fieldNamed } from '../kernel/domain/named-operation.ts'
import { sha256 } from '../kernel/domain/sha256.ts'
import { head } from '../kernel/domain/text.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { textFault } from './domain/decision/screening.ts'
import { STACK } from './domain/files.ts'
import { stackNames } from './domain/state.ts'
import type { Store } from './ports/store.ts'

export interface StackOutcome {
  readonly status: 'ok' | 'unchanged'
  /** Revision of the current file: the next writer passes it as its base. */
  readonly revision: string
  /** The names in the file, as the context shows them. */
  readonly names: string[]
}

const LONGEST = 40_000
/** The revision of a missing file. */
const ABSENT = 'absent'

/** Replaces the stack, if it is still the version that the writer had read. */
export async function writeStack(
  ctx: Pick<Call, 'origin'>,
  store: Store,
  { content, expected }: { readonly content: string; readonly expected: string | undefined },
): Promise<StackOutcome> {
  const text = `${plainText(content).trim()}\n`
  const fault = text.trim() === '' ? 'The stack is empty.' : textFault('stack', text, LONGEST)
  if (fault !== undefined)
    throw new AppError('invalid_input', fault, { hint: 'One bullet per choice: - **Name** what it is used for.' })
  return store.commit(ctx.origin, async (draft) => {
    const before = await draft.read(STACK)
    const outcome = { revision: sha256(text), names: stackNames(text) }
    if (before === text) return { status: 'unchanged', ...outcome }
    const found = before === undefined ? ABSENT : sha256(before)
    if (expected !== undefined && expected !== found)
      throw new AppError('conflict', `${STACK} has changed since; its revision is ${found}.`, {
        hint: `Read it again, apply your change to the current text, and pass its ${fieldNamed('expected_revision')}.`,
      })
    draft.write(STACK, text)
    draft.note('update_stack', {})
    draft.snapshot(`stack: ${head(outcome.names.join(', '), 80)}`)
    return { status: 'ok', ...outcome }
  })
}
