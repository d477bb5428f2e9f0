/** Where the page keeps its half of the session; the other half is a cookie that no script can read. */
const KEY = 'ken.key'

/** What every call carries beside the cookie. A page of another origin, another port included, does not have it. */
export const sessionHeaders = (): Record<string, string> => ({ 'x-ken-key': localStorage.getItem(KEY) ?? '' })
