/** Allows only printable ASCII: a browser drops tabs and line ends before it resolves a URL. */
export const isOwnPath = (to: unknown): to is string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && to.length < 2_000
