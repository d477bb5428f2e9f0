const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** Lifetimes are in milliseconds. */
export const CODE_LIVES = 60 * SECOND
export const ACCESS_LIVES = 60 * MINUTE
/** Lifetime of an unused refresh token; each use issues a new one. */
export const REFRESH_LIVES = 30 * DAY
/** After this a person must consent again, regardless of the number of refreshes. */
export const GRANT_LIVES = 180 * DAY
export const DEVICE_LIVES = 10 * MINUTE
/** How long a used code is remembered, so that its reuse is detected. */
export const USED_CODE_LIVES = DAY
