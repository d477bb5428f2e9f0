/** A path as the target of a link in Markdown: nothing in it ends the link. */
export const linkTarget = (path: string): string =>
  encodeURI(path).replaceAll(/[()]/g, (bracket) => (bracket === '(' ? '%28' : '%29'))
