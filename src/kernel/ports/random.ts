/** Unpredictable randomness, for secrets. Tests fix it if they need known values. */
export interface Random {
  bytes(length: number): Uint8Array
  /** `count` uniformly random decimal digits. */
  digits(count: number): string
}
