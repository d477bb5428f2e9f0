import { AppError } from '../kernel/domain/errors.ts'
import { fieldNamed } from '../kernel/domain/named-operation.ts'
import { noneYet } from '../kernel/domain/phrases.ts'
import { codePoints, head } from '../kernel/domain/text.ts'
import { plainText } from '../kernel/domain/trust/visible.ts'
import type { Call } from '../kernel/ports/call.ts'
import { LIMITS, textFault } from './domain/decision/screening.ts'
import { STATE, STATE_HISTORY, STATE_LEGACY } from './domain/files.ts'
import { snapshotName } from './domain/snapshot/snapshot.ts'
import { type StateChange, type StateFiles, addToState, compareStates, stateBody, updateState } from './domain/state.ts'
import type { Draft, Store } from './ports/store.ts'

/** Exactly one field must be set. */
export interface StateRequest {
  /** Text to append to the state. */
  readonly add?: string | undefined
  /** Text that replaces the state. */
  readonly replace?: string | undefined
  /** Restores the state before its last change. */
  readonly undo?: boolean | undefined
}

export interface StateOutcome {
  status: 'ok' | 'noop'
  mode: 'add' | 'replace' | 'undo'
  /** Number of lines kept. */
  kept: number
  added: string[]
  /** Lines removed from the state; the history and the snapshots keep them. */
  gone: string[]
  warning?: string
}

// A longer state is no longer read at the start of a session; the excess belongs elsewhere.
const LONGEST_STATE = 20_000
// Number of snapshots; each read loads a whole record.
const FURTHEST_BACK = 100

/** Changes the current state. Nothing is lost: removed lines are in its history, and in the previous snapshot. */
export async function changeState(ctx: Call, store: Store, request: StateRequest): Promise<StateOutcome> {
  const mode = modeOf(request)
  const text = mode === 'undo' ? '' : screened(request.add ?? request.replace ?? '')
  const earlier = mode === 'undo' ? await stateBefore(store) : undefined
  return store.commit(ctx.origin, async (draft) => {
    const files = await stateFiles(draft)
    const before = files.current ?? files.legacy ?? ''
    const now = ctx.clock.now()
    const change = mode === 'add' ? addToState(files, text, now) : updateState(files, earlier ?? text, now)
    if (change.status === 'noop') return { status: 'noop', mode, kept: 0, added: [], gone: [] }
    refuseTooLong(change)
    draft.write(STATE, change.current)
    if (change.history !== undefined) draft.write(STATE_HISTORY, change.history)
    draft.note('update_state', { mode })
    draft.snapshot(mode === 'undo' ? 'state: undo' : `state: ${head(text, 80)}`)
    const { warning } = change
    return {
      status: 'ok',
      mode,
      ...compareStates(before, change.current),
      ...(mode === 'add' && warning && { warning }),
    }
  })
}

function modeOf({ add, replace, undo }: StateRequest): StateOutcome['mode'] {
  const given = [
    ...(add === undefined ? [] : ['add' as const]),
    ...(replace === undefined ? [] : ['replace' as const]),
    ...(undo === true ? ['undo' as const] : []),
  ]
  if (given.length === 1) return given[0]!
  throw new AppError(
    'invalid_input',
    given.length === 0 ? 'No changes given.' : `Only one of ${given.map(fieldNamed).join(', ')} at a time.`,
    {
      hint: `Pass ${fieldNamed('add')} with new text, ${fieldNamed('replace')} with the whole state, or ${fieldNamed('undo')}.`,
    },
  )
}

function screened(given: string): string {
  const text = plainText(given)
  const fault = textFault('state', text, LIMITS.delta)
  if (fault === undefined) return text
  throw new AppError('invalid_input', fault, { hint: 'Keep the state to what the next session needs.' })
}

function refuseTooLong(change: Extract<StateChange, { status: 'ok' }>): void {
  const length = codePoints(stateBody(change.current))
  if (length > LONGEST_STATE)
    throw new AppError(
      'invalid_input',
      `The state would have ${length} characters; at most ${LONGEST_STATE} are kept.`,
      {
        hint: 'Replace it with a shorter text; the history keeps the old one.',
      },
    )
}

async function stateFiles(draft: Pick<Draft, 'read'>): Promise<StateFiles> {
  const [current, history, legacy] = await Promise.all(
    [STATE, STATE_HISTORY, STATE_LEGACY].map((path) => draft.read(path)),
  )
  return { current, history, legacy }
}

/** The newest snapshot with a different state, so that undoing an undo restores the later state. */
async function stateBefore(store: Store): Promise<string> {
  const now = stateBody((await store.read(STATE)) ?? '')
  const snapshots = (await store.snapshots.list()).slice(-FURTHEST_BACK).toReversed()
  for (const { version } of snapshots) {
    const body = stateBody((await store.snapshots.read(version))?.files[STATE] ?? '')
    if (body !== '' && body !== now) return body
  }
  throw new AppError('not_found', 'No snapshot has an earlier state.', {
    hint:
      snapshots.length === 0
        ? noneYet('snapshots')
        : `The oldest checked is ${snapshotName(snapshots.at(-1)!.version)}; \`ken log\` lists them.`,
  })
}
