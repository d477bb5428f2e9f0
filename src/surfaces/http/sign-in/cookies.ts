/** Cookies of one server: not readable by scripts, and cross-site only when a person follows a link. */
export interface Cookies {
  /** The value of the first cookie of this name; undefined if there is none. */
  read(request: Request): string | undefined
  /** The header that sets the cookie for `seconds`. */
  set(value: string, seconds: number): string
  clear(): string
}

/** With https the name binds the cookie to exactly this host: no sibling host can set it. */
export function cookiesNamed(name: string, publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:')
  const full = isSecure ? `__Host-${name}` : name
  const written = (value: string, seconds: number): string =>
    `${full}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure ? '; Secure' : ''}`
  return {
    read: ({ headers }) =>
      (headers.get('cookie') ?? '')
        .split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${full}=`))
        ?.slice(full.length + 1),
    set: written,
    clear: () => written('', 0),
  }
}
