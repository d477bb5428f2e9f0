/** Stories with every word in their title or name. */
export function findStories<S extends { readonly title: string; readonly slug: string }>(
  stories: readonly S[],
  words: string,
): readonly S[] {
  const wanted = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '')
  return wanted.length === 0
    ? stories
    : stories.filter(({ title, slug }) => {
        const text = folded(`${title} ${slug}`)
        return wanted.every((word) => text.includes(word))
      })
}

const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
