/** Time, ids and chance. Everything that needs one of them gets it from here, so that tests can fix it. */
export interface Clock {
  now(): Date
  /** A fresh ULID: 26 Crockford characters, sortable by time. */
  ulid(): string
  /** A fresh version 4 UUID. */
  uuid(): string
}
