import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { AppError } from '../../kernel/domain/errors.ts'
import type { PageChange, WaitingChange } from '../../kernel/ports/page-changes.ts'
import type { StreamedCall } from './event-stream.ts'

/** The owner of a call: another session, operation or place cannot confirm it. */
export interface CallOwner {
  readonly session: string
  readonly operation: string
  /** The place named in the request. */
  readonly place: string
}

type Run = (through: Partial<StreamedCall>) => Promise<Readonly<Record<string, unknown>>>

export interface CallToConfirm {
  readonly owner: CallOwner
  readonly title: string
  readonly folder: string
  readonly changes: readonly PageChange[]
  /** The current changes; if they differ from `changes`, the call is cancelled. */
  look(): Promise<readonly PageChange[]>
  /** The call with the stored input. */
  readonly run: Run
}

/** A pending call as shown to its page, without the code. */
export type KeptForPage = Pick<WaitingChange, 'id' | 'title' | 'changes' | 'expiresAt'>

export interface PageConfirmations {
  /** Stores a call, and shows its code at the terminal. */
  keep(call: CallToConfirm): KeptForPage
  /**
   * The stored call, once. Throws `confirm_needed` for a wrong code, and `not_found` for a call that is no longer
   * pending.
   */
  take(given: { readonly id: string; readonly code: string }, owner: CallOwner): Promise<Run>
  list(): readonly WaitingChange[]
}

export interface ConfirmationOptions {
  now(): number
  /** Shows a call and its code at the terminal. */
  show(change: WaitingChange): void
}

const LIVES = 5 * 60_000
const MOST_TRIES = 5
// Beyond this number the oldest is dropped. A person has one dialog open.
const MOST_WAITING = 5
// Unconfirmed calls within the lifetime of one call: a script cannot flood the terminal.
const MOST_ASKED = 20
// No letters and digits that look alike; 32 characters, so a code has 40 bits.
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'

interface Waiting extends WaitingChange {
  readonly call: CallToConfirm
  tries: number
}

/**
 * Calls from pages that a person confirms with a code from a terminal. Kept in memory only: they end with the process.
 */
export function openPageConfirmations({ now, show }: ConfirmationOptions): PageConfirmations {
  const waiting = new Map<string, Waiting>()
  let asked: number[] = []
  const dropOld = (): void => {
    for (const [id, { expiresAt }] of waiting) if (expiresAt.getTime() <= now()) waiting.delete(id)
    asked = asked.filter((at) => at > now() - LIVES)
  }
  const isSame = (one: CallToConfirm, other: CallToConfirm): boolean =>
    isOwner(one.owner, other.owner) && JSON.stringify(one.changes) === JSON.stringify(other.changes)
  return {
    keep(call) {
      dropOld()
      if (asked.length >= MOST_ASKED)
        throw new AppError('unavailable', 'Too many changes were not confirmed.', {
          hint: `Try again in ${Math.ceil((asked[0]! + LIVES - now()) / 1_000)} s.`,
        })
      for (const [id, one] of waiting) if (isSame(one.call, call)) waiting.delete(id)
      while (waiting.size >= MOST_WAITING) waiting.delete(waiting.keys().next().value!)
      const { title, folder, changes, owner } = call
      const id = randomBytes(9).toString('base64url')
      const expiresAt = new Date(now() + LIVES)
      const change = { id, title, operation: owner.operation, folder, changes, code: newCode(), expiresAt }
      waiting.set(id, { ...change, call, tries: 0 })
      asked.push(now())
      show(change)
      return { id, title, changes, expiresAt }
    },
    async take({ id, code }, owner) {
      dropOld()
      const found = waiting.get(id)
      if (found === undefined || !isOwner(found.call.owner, owner)) throw gone()
      if (!isCode(code, found.code)) {
        found.tries++
        if (found.tries < MOST_TRIES) throw wrongCode(found, MOST_TRIES - found.tries)
        waiting.delete(id)
        throw new AppError('forbidden', `Wrong code ${MOST_TRIES} times. The change was dropped.`, { hint: AGAIN })
      }
      waiting.delete(id)
      asked.pop()
      if (JSON.stringify(await found.call.look()) !== JSON.stringify(found.changes))
        throw new AppError('conflict', 'The change would no longer do what you confirmed. No changes.', { hint: AGAIN })
      return found.call.run
    },
    list() {
      dropOld()
      return [...waiting.values()].map(({ call: _call, tries: _tries, ...change }) => change)
    },
  }
}

const AGAIN = 'Make the change again for a new code.'

const gone = (): AppError => new AppError('not_found', 'This change is no longer waiting.', { hint: AGAIN })

export const confirmNeeded = (kept: KeptForPage): AppError =>
  new AppError('confirm_needed', 'Confirm this change with the code from the terminal that runs `ken app`.', {
    hint: 'Run `ken confirm` in another terminal to see it.',
    details: { confirm: forPage(kept) },
  })

const wrongCode = (kept: KeptForPage, left: number): AppError =>
  new AppError('confirm_needed', `Wrong code. ${left} ${left === 1 ? 'try' : 'tries'} left.`, {
    hint: 'Run `ken confirm` in a terminal to see it.',
    details: { confirm: forPage(kept) },
  })

const forPage = ({ id, title, changes, expiresAt }: KeptForPage) => ({
  id,
  title,
  changes,
  expires_at: expiresAt.toISOString(),
})

const isOwner = (one: CallOwner, other: CallOwner): boolean =>
  one.session === other.session && one.operation === other.operation && one.place === other.place

const newCode = (): string =>
  Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)])
    .join('')
    .replace(/^.{4}/, '$&-')

/** Compares a typed code, in any case, with or without the hyphen. */
const isCode = (given: string, code: string): boolean => timingSafeEqual(digest(given), digest(code))

const digest = (code: string): Buffer =>
  createHash('sha256').update(code.replaceAll(/[\s-]/g, '').toUpperCase()).digest()
