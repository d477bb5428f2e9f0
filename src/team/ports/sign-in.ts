import type { BrowserSession, SessionHolder } from '../domain/browser-session.ts'
import type { Passkey } from '../domain/passkey.ts'

/** Browsers that are let in, known by the hash of their secret alone. Suite: test/contract/sign-in.contract.ts. */
export interface BrowserSessions {
  /** Throws `not_found` for somebody who left. One person has at most fifty: what was idle longest gives way. */
  open(session: BrowserSession, hash: string): Promise<void>
  /**
   * Whose it is; undefined where there is none, it was used last before `idleSince` or is over, or its person left. Notes
   * that it was used, to the minute.
   */
  use(hash: string, at: { readonly now: string; readonly idleSince: string }): Promise<SessionHolder | undefined>
  /** Those that are not over, the one that was used last first. */
  list(person: string, at: { readonly now: string; readonly idleSince: string }): Promise<readonly BrowserSession[]>
  /** One of somebody else is passed over. */
  end(person: string, ids: readonly string[]): Promise<void>
  /** All but one, which may be none of them. */
  endOthers(person: string, but: string): Promise<void>
}

/** What was sent to an address, and how often somebody guessed. */
export interface SignInCodes {
  /** What is over is cleared away with it. */
  keep(
    code: { readonly hash: string; readonly email: string; readonly seal: string; readonly expiresAt: string },
    now: string,
  ): Promise<void>
  /**
   * Counts a try before it says anything, so that tries side by side are counted too. Undefined where there is none, it
   * is over, or there were `most` tries before.
   */
  try(
    hash: string,
    at: { readonly now: string; readonly most: number },
  ): Promise<{ readonly email: string; readonly seal: string } | undefined>
  /** Takes it away; of two who do so at once one hears true. */
  spend(hash: string): Promise<boolean>
}

/** How often something was tried, over all processes. */
export interface AttemptLimits {
  /**
   * Counts one more in each bucket, in the span of so many minutes that `now` falls into. False where one of them has
   * had more than its number.
   */
  count(
    buckets: readonly { readonly name: string; readonly most: number }[],
    at: { readonly now: string; readonly minutes: number },
  ): Promise<boolean>
}

/** Secrets that work once, known by their hash, with what belongs to them: challenges, states, the first start. */
export interface OneTimeSecrets {
  /** What is over is cleared away with it. */
  keep(
    secret: { readonly hash: string; readonly purpose: string; readonly held: object; readonly expiresAt: string },
    now: string,
  ): Promise<void>
  /** What belongs to it, once; undefined for one of another purpose, which stays. */
  take(hash: string, purpose: string, now: string): Promise<object | undefined>
}

export interface PasskeyShelf {
  /** Throws `conflict` for one that is known, `not_found` for somebody who left. */
  add(passkey: Passkey): Promise<void>
  /** Undefined for one of somebody who left. */
  find(id: string): Promise<Passkey | undefined>
  list(person: string): Promise<readonly Passkey[]>
  /** False where it counts to no more than it did, unless it never counts: then somebody has a copy. */
  use(id: string, counter: number, at: string): Promise<boolean>
  /** One of somebody else is passed over. */
  remove(person: string, id: string): Promise<void>
}
