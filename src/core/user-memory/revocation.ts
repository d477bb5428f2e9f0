import { folded } from './content-words.ts'
import { isAsked } from './standing-instruction.ts'

/** Whether a sentence takes back something that was said earlier: "forget that …", "I no longer …", "stop …ing". */
export function isRevocation(sentence: string): boolean {
  const said = folded(sentence)
  if (isAsked(said) || IDIOM.test(said)) return false
  return TAKES_BACK.test(said) || (NO_LONGER.test(said) && OWN.test(said))
}

/** Whether it says that something is otherwise now than it was. */
export const isChange = (text: string): boolean => CHANGE.test(folded(text))

const IDIOM =
  /^(?:oh,? |ok,? |well,? |ach,? )*(?:just )?(?:forget (?:about )?(?:it|that|this)|vergiss es|laisse tomber|olvidalo)[.! ]*$|\bi (?:always )?forg[eo]t\b|\bdon'?t forget\b|\bvergiss nicht\b|\bn'oublie\b|\bno olvides\b/

const TAKES_BACK =
  /\b(?:forget|disregard|delete|erase|remove|drop) (?:that|what|about|the|my|your|everything|all|any) |^(?:please |and |ok,? |now )*stop (?:using|showing|\p{L}+ing)\b|\byou (?:don'?t|do not|no longer) (?:need|have) to\b|\b(?:rule|preference|instruction|setting|request)s? (?:about |on |for |of )?.{0,60}(?:no longer|does(?:n't| not)|not) (?:apply|applies|hold|holds|valid)|\bthat rule no longer\b|\b(?:vergiss|vergessen sie|losche|streiche),? |\bhor auf\b|\b(?:oublie|oubliez|efface|supprime)[ ,]|\barrete(?:z)? de\b|\b(?:olvida|olvide|borra|elimina)[ ,]|\bdeja de\b/u
const NO_LONGER =
  /\b(?:no longer|not .{0,80}\bany ?more|n't .{0,80}\bany ?more|nicht mehr|kein\w* .{0,40}mehr|ya no)\b|\b(?:ne |n').{0,40}\bplus\b/
const OWN =
  /\b(?:i|i'm|we|my|our|me|ich|wir|mein\w*|unser\w*|je|j|nous|mon|ma|notre|rule|regel|regle|regla)\b|\bya no (?:soy|uso|trabajo|prefiero|quiero|vivo|dirijo|usamos|vendemos|trabajamos|somos|mi|nuestr\w*|\p{L}+(?:o|mos)\b)/u

const CHANGE =
  /\b(?:now|instead|again|no longer|any ?more|not|rather|these days|changed?|switch(?:ed)?|moved|from now on|jetzt|statt|stattdessen|wieder|nicht mehr|ab sofort|lieber|desormais|plutot|au lieu|de nouveau|maintenant|ahora|en lugar|en vez|otra vez|ya no)\b/
