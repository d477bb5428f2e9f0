/** Cookies of one server: no script reads them, no other site is sent with them but by a person who follows a link. */
export interface Cookies {
  /** The first of its name; undefined where there is none. */
  read(request: Request): string | undefined
  /** The header that sets it, for so many seconds. */
  set(value: string, seconds: number): string
  clear(): string
}

/** With https the name binds it to this very host: no sister host can put one there. */
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
