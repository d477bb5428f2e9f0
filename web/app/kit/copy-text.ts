/** Returns whether the text was copied: a browser may refuse. */
export const copyText = (text: string): Promise<boolean> =>
  navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  ) ?? Promise.resolve(false)
