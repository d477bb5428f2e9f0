import { foldLetters } from '../../../kernel/domain/text/fold.ts'

/** The words of a name in lower case, without accents and numbers: `custEmailAddr_2` is `cust`, `email`, `addr`. */
export const nameWords = (name: string): readonly string[] =>
  foldLetters(name.slice(0, 200))
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
