/** Time, ids and randomness. All code that needs them gets them from here, so that tests can fix them. */
export interface Clock {
  now(): Date
  /** A fresh ULID: 26 Crockford characters, sortable by time. */
  ulid(): string
  /** A fresh version 4 UUID. */
  uuid(): string
}
