/** The passages in a reranking prompt, in order. */
export const passagesIn = (said: string): string[] =>
  [...said.matchAll(/<passage number="\d+">\n([\s\S]*?)\n<\/passage>/g)].map((match) => match[1]!)
