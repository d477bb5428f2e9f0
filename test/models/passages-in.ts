/** The passages in a prompt that asks for marks, in order. */
export const passagesIn = (said: string): string[] =>
  [...said.matchAll(/<passage number="\d+">\n([\s\S]*?)\n<\/passage>/g)].map((match) => match[1]!)
