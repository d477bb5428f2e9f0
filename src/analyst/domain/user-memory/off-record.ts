import { folded } from './content-words.ts'

/** Whether a message asks not to be remembered: nothing is learned from it then. */
export const isOffRecord = (text: string): boolean => OFF_RECORD.test(folded(text))

const KEEP = '(?:remember|memori[sz]e|save|store|keep|note|record|learn|log|write)(?:ing)?(?: down)?'
const KEPT = '(?:remembered|memori[sz]ed|saved|stored|kept|noted|recorded|learned|logged|written down)'
const THIS = '(?:this|it|these|any of (?:this|it|that)|what (?:i|follows)|the following|that(?! (?:i|we|my|our)\\b))'

const OFF_RECORD = new RegExp(
  [
    // "I don't remember this column" has another meaning.
    `(?<!\\b(?:i|we|he|she|they|you) )\\b(?:do(?:n't| not|nt)|never|no need to|without|not to|rather not)(?: (?:please|ever|have to|need to|even)){0,2} ${KEEP} ${THIS}\\b`,
    `\\b(?:this|that|it)(?:'s| is| should| must| shall)?(?: not|n't| never|nt)? ?(?:to be|be|not to be|for you to) ?(?:not )?${KEPT}\\b(?<=\\b(?:not|n't|never|nt)\\b.{0,40})`,
    '\\boff the record\\b',
    `\\bkeep ${THIS} out of (?:your|the) (?:memory|memories|notes|record)\\b`,
    '\\bmerke?(?:n sie)? (?:dir|sich) (?:das|dies|es|folgendes)(?: bitte)? nicht\\b|\\b(?:nicht|nichts davon) (?:zu )?(?:merken|(?:ab)?speichern|behalten|notieren|aufschreiben)\\b|\\b(?:behalte?|speichere?|notiere?)(?:n sie)? (?:das|dies|es)(?: bitte)? nicht\\b|\\bbleibt unter uns\\b',
    "\\b(?:ne |n')(?:l')?(?:retien[st]?|retenez|note[sz]?|garde[sz]?|memorise[sz]?|enregistre[sz]?|sauvegarde[sz]?)(?: (?:ca|cela|ceci))? pas\\b|\\ba ne pas (?:retenir|noter|garder|memoriser|enregistrer)\\b|\\breste entre nous\\b",
    '\\bno (?:lo |esto )?(?:recuerdes?|guardes?|memorices?|anotes?|registres?|recuerde|guarde|memorice|anote|registre)\\b|\\bqueda entre nosotros\\b',
  ].join('|'),
  'u',
)
