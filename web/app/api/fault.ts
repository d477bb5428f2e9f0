import type { PageChange } from '../../../src/kernel/ports/page-changes.ts'
import { isTeam } from './server.ts'

/** A call that the app keeps until its code is sent. */
export interface ChangeToConfirm {
  readonly id: string
  readonly title: string
  readonly changes: readonly PageChange[]
}

/** A failed call: the problem and the next step. */
export class Fault extends Error {
  readonly code: string
  readonly hint: string | undefined
  readonly status: number
  /** The pending change of a call that needs a code. */
  readonly confirm: ChangeToConfirm | undefined

  constructor(
    code: string,
    message: string,
    { hint, status, confirm }: { hint?: string | undefined; status: number; confirm?: ChangeToConfirm | undefined },
  ) {
    super(message)
    this.code = code
    this.hint = hint
    this.status = status
    this.confirm = confirm
  }
}

export async function faultOf(response: Response): Promise<Fault> {
  const told = (await response.json().catch(() => undefined)) as
    | { error?: { code?: string; message?: string; hint?: string; confirm?: ChangeToConfirm } }
    | undefined
  return new Fault(told?.error?.code ?? 'unavailable', told?.error?.message ?? 'Unexpected response from Ken.', {
    hint: told?.error?.hint,
    confirm: told?.error?.confirm,
    status: response.status,
  })
}

/** Fault for an operation that the server does not have. */
export const notOffered = (): Fault =>
  new Fault('not_found', 'Not available on this server.', { hint: 'Run it on your own machine.', status: 404 })

export const unreachable = (): Fault =>
  new Fault('unavailable', 'Can’t reach Ken.', {
    hint: isTeam() ? 'Try again in a moment.' : 'It was stopped or is restarting. Run `ken app` to start it.',
    status: 0,
  })
