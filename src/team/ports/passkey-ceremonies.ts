import type { Passkey } from '../domain/passkey.ts'

/** What an authenticator says when it makes a passkey. */
export type NewPasskey = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'>

/**
 * Asks browsers for passkeys of one server and checks what their authenticators sign. A person must have proved
 * themselves to the authenticator; what was signed for another server or challenge is refused. Nothing is kept here.
 */
export interface PasskeyCeremonies {
  /** What the page gives to `navigator.credentials.create`. The challenge is fresh random bytes. */
  askToRegister(asked: {
    readonly challenge: Uint8Array
    readonly person: { readonly id: string; readonly email: string; readonly name: string }
    /** Authenticators that hold one of these make no second one. */
    readonly known: readonly Passkey[]
  }): Promise<object>
  /** Undefined for everything that is not a good answer to that challenge. */
  register(response: unknown, challenge: Uint8Array): Promise<NewPasskey | undefined>
  /** What the page gives to `navigator.credentials.get`. It names nobody: the authenticator knows whose it is. */
  askToSignIn(challenge: Uint8Array): Promise<object>
  /** Which passkey somebody says they have and whose it is, unchecked; undefined for what is no answer at all. */
  claimed(response: unknown): { readonly id: string; readonly person: string } | undefined
  /** How far that passkey counts now; undefined for everything that is not a good answer to that challenge. */
  signIn(response: unknown, challenge: Uint8Array, passkey: Passkey): Promise<{ readonly counter: number } | undefined>
}
