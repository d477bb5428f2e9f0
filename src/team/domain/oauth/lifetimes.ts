const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

/** In milliseconds. */
export const CODE_LIVES = 60 * SECOND
export const ACCESS_LIVES = 60 * MINUTE
/** A refresh token that nobody uses; each use gives a new one. */
export const REFRESH_LIVES = 30 * DAY
/** After this a person is asked again, however often the client came back. */
export const GRANT_LIVES = 180 * DAY
export const DEVICE_LIVES = 10 * MINUTE
/** A code that was used is remembered for this long, so that whoever shows it again is found out. */
export const USED_CODE_LIVES = DAY
