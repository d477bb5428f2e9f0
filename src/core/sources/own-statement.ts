/** By this a database that remembers its queries tells those of a sync from those of people. */
export const OWN_MARK = '/* ken */'

/** Behind the first word, because engines and drivers judge a statement by that. */
export const markOwn = (select: string): string => select.replace(/^SELECT\b/, `SELECT ${OWN_MARK}`)

export const isOwn = (select: string): boolean => select.startsWith(`SELECT ${OWN_MARK}`)
