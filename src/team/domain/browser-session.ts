import type { Role } from './role.ts'

/** A signed-in browser, as shown to its owner. */
export interface BrowserSession {
  readonly id: string
  readonly person: string
  /** Such as `Firefox 140 on Linux`; undefined if unknown. */
  readonly browser: string | undefined
  /** The sign-in method. */
  readonly proof: 'code' | 'passkey' | 'provider' | 'setup'
  readonly enteredAt: string
  /** Precise to the minute. */
  readonly usedAt: string
  /** Expiry, regardless of use. */
  readonly endsAt: string
}

export interface SessionHolder {
  readonly id: string
  readonly person: string
  readonly organisation: string
  readonly role: Role
}
