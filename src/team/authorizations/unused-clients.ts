/** Milliseconds after which a client without any grant makes room for others. */
export const UNUSED_CLIENT_LIVES = 24 * 60 * 60_000
