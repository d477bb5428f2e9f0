import type { BrowserSession, SessionHolder } from '../domain/browser-session.ts'
import type { Passkey } from '../domain/passkey.ts'

/** Signed-in browsers, stored only by the hash of their secret. Suite: test/contract/sign-in.contract.ts. */
export interface BrowserSessions {
  /** Throws `not_found` for a person who left. A person has at most fifty sessions: the one idle longest is dropped. */
  open(session: BrowserSession, hash: string): Promise<void>
  /**
   * The session's holder; undefined if there is no such session, it was last used before `idleSince`, it expired, or
   * the person left. Records the time of use, to the minute.
   */
  use(hash: string, at: { readonly now: string; readonly idleSince: string }): Promise<SessionHolder | undefined>
  /** Active sessions, most recently used first. */
  list(person: string, at: { readonly now: string; readonly idleSince: string }): Promise<readonly BrowserSession[]>
  /** Ignores sessions of other people. */
  end(person: string, ids: readonly string[]): Promise<void>
  /** Ends all but one; `but` need not be among them. */
  endOthers(person: string, but: string): Promise<void>
}

/** Codes sent to an address, and the number of guesses. */
export interface SignInCodes {
  /** Also deletes expired codes. */
  keep(
    code: { readonly hash: string; readonly email: string; readonly seal: string; readonly expiresAt: string },
    now: string,
  ): Promise<void>
  /**
   * Counts the try before answering, so that concurrent tries are counted too. Undefined if there is no such code, it
   * has expired, or there were `most` tries before.
   */
  try(
    hash: string,
    at: { readonly now: string; readonly most: number },
  ): Promise<{ readonly email: string; readonly seal: string } | undefined>
  /** Deletes the code; only one of two concurrent callers gets true. */
  spend(hash: string): Promise<boolean>
}

/** Attempt counters that all processes share. */
export interface AttemptLimits {
  /**
   * Increments each bucket for the window of `minutes` that `now` falls into. False if any bucket exceeds its `most`.
   */
  count(
    buckets: readonly { readonly name: string; readonly most: number }[],
    at: { readonly now: string; readonly minutes: number },
  ): Promise<boolean>
}

/** Secrets that work once, stored by their hash together with their data: challenges, states, the first start. */
export interface OneTimeSecrets {
  /** Also deletes expired secrets. */
  keep(
    secret: { readonly hash: string; readonly purpose: string; readonly held: object; readonly expiresAt: string },
    now: string,
  ): Promise<void>
  /** Returns its data once; undefined for a secret of another purpose, which is kept. */
  take(hash: string, purpose: string, now: string): Promise<object | undefined>
}

export interface PasskeyStore {
  /** Throws `conflict` for a known passkey, `not_found` for a person who left. */
  add(passkey: Passkey): Promise<void>
  /** Undefined if its person left. */
  find(id: string): Promise<Passkey | undefined>
  list(person: string): Promise<readonly Passkey[]>
  /** False if the counter did not grow, which indicates a copied passkey; passkeys that do not count are accepted. */
  use(id: string, counter: number, at: string): Promise<boolean>
  /** Ignores another person's passkey. */
  remove(person: string, id: string): Promise<void>
}
