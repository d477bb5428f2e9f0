/** Text without a letter or a digit means nothing: its vector is zero, and no model is asked for it. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)
