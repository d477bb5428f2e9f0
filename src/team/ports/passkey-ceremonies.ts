import type { Passkey } from '../domain/passkey.ts'

/** Data of an authenticator when it creates a passkey. */
export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>

/**
 * Requests passkeys for one server from browsers and verifies the signatures of their authenticators. A person must
 * have proved themselves to the authenticator; signatures for another server or challenge are refused. Nothing is
 * stored here.
 */
export interface PasskeyCeremonies {
  /** Options for `navigator.credentials.create`. The challenge is fresh random bytes. */
  askToRegister(asked: {
    readonly challenge: Uint8Array
    readonly person: { readonly id: string; readonly email: string; readonly name: string }
    /** The person's passkeys: an authenticator that has one of them does not create a second one. */
    readonly known: readonly Passkey[]
  }): Promise<object>
  /** Undefined unless it is a valid response to that challenge. */
  register(response: unknown, challenge: Uint8Array): Promise<NewPasskey | undefined>
  /** Options for `navigator.credentials.get`. They name no person: the authenticator identifies the owner. */
  askToSignIn(challenge: Uint8Array): Promise<object>
  /** The claimed passkey and its owner, unverified; undefined if it is not a response at all. */
  claimed(response: unknown): { readonly id: string; readonly person: string } | undefined
  /** The passkey's new counter; undefined unless it is a valid response to that challenge. */
  signIn(response: unknown, challenge: Uint8Array, passkey: Passkey): Promise<{ readonly counter: number } | undefined>
}
