/** A browser drops tabs and line ends before it resolves an address. */
export const isOwnPath = (to: unknown): to is string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && to.length < 2_000
