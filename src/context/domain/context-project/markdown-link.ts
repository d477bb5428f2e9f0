/** Escapes a path as a Markdown link target, so that nothing in it ends the link. */
export const linkTarget = (path: string): string =>
  encodeURI(path).replaceAll(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
