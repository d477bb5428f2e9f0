import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as armenian } from '@orama/stemmers/armenian'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stem } from './stem.ts'

/** A language in Latin letters other than English, by its index in a table. */
export type Language = number

/**
 * Without accents: `words` are common ones that are neither English nor names in code, so that they identify a
 * language; `fillers` may be either. Both are left out of a question in the language.
 */
const LANGUAGES: readonly {
  readonly stem: (word: string) => string
  readonly words: string
  readonly fillers: string
}[] = [
  {
    stem: german,
    words:
      'und der das ist nicht ein eine einen einem einer dem mit von fur auf wird werden wurde wurden sind auch wir haben wie warum wann wo welche welcher welches nach bei oder aber wenn weil dass uber durch zum zur vom beim ich kein keine sich nur noch schon',
    fillers: 'den hat die in an am so war man was es zu im des sie er als um',
  },
  {
    stem: french,
    words:
      'le les des une dans est pas que qui avec sont nous vous pourquoi quand quel quelle quels quelles avons ont aux cette ces mais ou donc etait ete sur sous entre elle ils leur',
    fillers: 'comment de la en un on par pour que ce se a y il ne plus tout',
  },
  {
    stem: spanish,
    words:
      'los las una unos que para por como cuando donde esta estan fue hemos pero sobre desde hasta cual cuales porque nuestro nuestra se muy',
    fillers: 'el lo del al con hay de la en un a es no su me si son mas',
  },
  {
    stem: italian,
    words:
      'il gli che una uno perche quando dove quale quali sono della delle dei nella nelle nel alla abbiamo hanno stato stata questo questa anche sul sulla',
    fillers: 'degli alle non con per come di la in un a e i da si ci del',
  },
  {
    stem: portuguese,
    words:
      'uma que nao para por como quando onde qual quais foi sao pelo pela nos nas das esta temos tem mas porque sobre ate nosso nossa numa',
    fillers: 'os com dos num de a o e em um se no na do da mais',
  },
  {
    stem: dutch,
    words:
      'het een niet van voor zijn wordt worden werd werden ook wij hebben heeft waarom wanneer waar welke naar bij maar dat dit deze uit geen nog aan wat',
    fillers: 'als met hoe door de en in is op te van om er of we was',
  },
]

/** Bits of the languages that have a token among their common words. */
const COMMON = new Map<string, number>()
for (const [at, { words }] of LANGUAGES.entries())
  for (const word of words.split(' ')) COMMON.set(stem(word), (COMMON.get(stem(word)) ?? 0) | (1 << at))

/** Bits by language: whether a token is one of its common words. */
export const commonIn = (token: string): number => COMMON.get(token) ?? 0

const FILLERS = LANGUAGES.map(({ words, fillers }) => new Set(`${words} ${fillers}`.split(' ').map(stem)))

/** Whether a token is without meaning for a question in the language. */
export const isFiller = (language: Language, token: string): boolean => FILLERS[language]!.has(token)

const LEAST_SHARE = { text: 0.08, question: 0.12 }
const LEAST_WORDS = { text: 3, question: 1 }
const SHORTEST = 3

/**
 * The language of a text of `size` tokens, by `commonIn` of all of them; undefined for English, code and fewer than
 * three words. `english` is the number of common English words among them.
 */
export function languageOf(
  common: Iterable<number>,
  size: number,
  { kind, english }: { readonly kind: 'text' | 'question'; readonly english: number } = { kind: 'text', english: 0 },
): Language | undefined {
  if (size < SHORTEST) return undefined
  const counts = LANGUAGES.map(() => 0)
  for (const bits of common) {
    if (bits === 0) continue
    for (let at = 0; at < counts.length; at++) if ((bits & (1 << at)) !== 0) counts[at]!++
  }
  const most = Math.max(...counts)
  return most > english && most >= LEAST_WORDS[kind] && most >= LEAST_SHARE[kind] * size
    ? counts.indexOf(most)
    : undefined
}

/** The stem of a token in a language; the token is already stemmed as English, and returned if it has no ending. */
export const stemIn = (language: Language, token: string): string =>
  /^[a-z]{4,}$/.test(token) ? LANGUAGES[language]!.stem(token) : token

const SCRIPTS: readonly (readonly [RegExp, (word: string) => string])[] = [
  [/^\p{Script=Cyrillic}+$/u, (word) => russian(word.replaceAll('ё', 'е'))],
  [/^\p{Script=Greek}+$/u, greek],
  [/^\p{Script=Arabic}+$/u, arabic],
  [/^\p{Script=Armenian}+$/u, armenian],
]

/** The stem of a lower-case word in a script that identifies its language. */
export const stemByScript = (word: string): string => SCRIPTS.find(([script]) => script.test(word))?.[1](word) ?? word
