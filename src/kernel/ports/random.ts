/** Chance that nobody can guess, for secrets. Tests fix it where they must know what came. */
export interface Chance {
  bytes(length: number): Uint8Array
  /** As many decimal digits, each as likely as any other. */
  digits(count: number): string
}
