import type { Role } from './role.ts'

/** A browser that somebody signed in with, as it may be shown. */
export interface BrowserSession {
  readonly id: string
  readonly person: string
  /** `Firefox 140 on Linux`; undefined where it is none that is known. */
  readonly browser: string | undefined
  /** How they proved who they are. */
  readonly proof: 'code' | 'passkey' | 'provider' | 'setup'
  readonly enteredAt: string
  /** To the minute. */
  readonly usedAt: string
  /** However much it is used. */
  readonly endsAt: string
}

export interface SessionHolder {
  readonly id: string
  readonly person: string
  readonly organisation: string
  readonly role: Role
}
