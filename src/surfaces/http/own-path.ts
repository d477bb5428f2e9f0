/** A browser leaves out tabs and line ends before it looks where an address leads. */
export const isOwnPath = (to: unknown): to is string =>
  typeof to === 'string' && /^\/(?![/\\])[\x21-\x7e]*$/.test(to) && to.length < 2_000
