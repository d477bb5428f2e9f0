const LONGEST = 60

/** Command-line name of a story: lower-case ASCII letters, digits and hyphens; empty if nothing is left. */
export function storySlug(title: string): string {
  const words = title
    .slice(0, 1_000)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (words.length <= LONGEST) return words
  const cut = words.slice(0, LONGEST)
  return cut.includes('-') ? cut.slice(0, cut.lastIndexOf('-')) : cut
}

/** The slug, or the first free one of `slug-2`, `slug-3`. */
export function freeSlug(slug: string, isTaken: (slug: string) => boolean): string {
  const first = slug === '' ? 'story' : slug
  for (let next = 1; ; next++) {
    const candidate = next === 1 ? first : `${first}-${next}`
    if (!isTaken(candidate)) return candidate
  }
}
