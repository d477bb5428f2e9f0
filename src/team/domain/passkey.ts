/** A person's passkey: the public half, which verifies signatures. */
export interface Passkey {
  /** The authenticator's id, in base64url. */
  readonly id: string
  readonly person: string
  readonly name: string
  readonly publicKey: Uint8Array
  /** Usage count, if the authenticator counts; if it decreases, the passkey was copied. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: string
  readonly usedAt: string | undefined
}
