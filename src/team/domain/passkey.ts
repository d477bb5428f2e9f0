/** A passkey of a person: the public half, with which a signature is checked. */
export interface Passkey {
  /** As the authenticator named it, in base64url. */
  readonly id: string
  readonly person: string
  readonly name: string
  readonly publicKey: Uint8Array
  /** How often it was used, where the authenticator counts; one that counts backwards is a copy. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdAt: string
  readonly usedAt: string | undefined
}
