/** Storage key of the page's half of the session; the other half is a cookie that no script can read. */
const KEY = 'ken.key'

/**
 * Headers that every call sends besides the cookie. A page of another origin, including another port, does not have the
 * key.
 */
export const sessionHeaders = (): Record<string, string> => ({ 'x-ken-key': localStorage.getItem(KEY) ?? '' })
