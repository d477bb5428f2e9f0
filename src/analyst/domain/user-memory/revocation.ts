import { folded } from './content-words.ts'
import { isAsked } from './standing-instruction.ts'

/** Whether a sentence revokes an earlier one: "forget that …", "I no longer …", "stop …ing". */
export function isRevocation(sentence: string): boolean {
  const said = folded(sentence)
  return isUndone(sentence) || (!isAsked(said) && !IDIOM.test(said) && NO_LONGER.test(said) && OWN.test(said))
}

/** Whether the user asks the assistant to forget or to stop something; such a request is not learned. */
export function isUndone(sentence: string): boolean {
  const said = folded(sentence)
  return !isAsked(said) && !IDIOM.test(said) && TAKES_BACK.test(said)
}

/** Whether a text states that something has changed. */
export const isChange = (text: string): boolean => CHANGE.test(folded(text))

const IDIOM =
  /^(?:oh,? |ok,? |well,? |ach,? )*(?:just )?(?:forget (?:about )?(?:it|that|this)|vergiss es|laisse tomber|olvidalo)[.! ]*$|\bi (?:always )?forg[eo]t\b|\bdon'?t forget\b|\bvergiss nicht\b|\bn'oublie\b|\bno olvides\b/

const TAKES_BACK =
  /\bforget (?:that (?:i|we|my|our|rule|instruction|preference)|what (?:i|we)|about (?:the|my|what|our)|the (?:rule|preference|instruction|thing)s?|my (?!last|previous|question|request)|your|everything|all) ?|\b(?:delete|erase|remove|drop|scrap|cancel|ignore|disregard|undo) .{0,40}\b(?:rules?|preferences?|instructions?|memor(?:y|ies)|what i (?:said|told)|you know|about me)\b|\bi take (?:that |it )?back\b|^(?:please )?(?:don't|do not) .{2,80}\bany ?more\b|^(?:n'|ne )\p{L}+ plus\b|^(?:please |and |ok,? |now |you (?:can|may|should) )*stop (?:using|showing|\p{L}+ing)\b|\byou (?:don'?t|do not|no longer) (?:need|have) to\b|\b(?:rule|preference|instruction|setting|request)s? (?:about |on |for |of )?.{0,60}(?:no longer|does(?:n't| not)|not) (?:apply|applies|hold|holds|valid)|\bthat rule no longer\b|\b(?:vergiss|vergessen sie|losche|streiche),? (?:bitte )?(?:dass|was|die regel|meine?n?|alles|deine) |\bhor auf\b|\b(?:oublie|oubliez|efface|supprime) (?:que|ce que|la regle|mon|ma|mes|tout)|\barrete(?:z)? de\b|\b(?:olvida|olvide|borra|elimina) (?:que|lo que|la regla|mi|mis|todo)|\bdeja de\b/u
const NO_LONGER =
  /\b(?:no longer|not .{0,80}\bany ?more|nicht mehr|kein\w* .{0,40}mehr|ya no)\b|n't .{0,80}\bany ?more\b|\b(?:ne |n').{0,40}\bplus\b/
const OWN =
  /\b(?:i|i'm|we|my|our|me|ich|wir|mein\w*|unser\w*|je|j|nous|mon|ma|notre|rule|regel|regle|regla)\b|\bya no (?:soy|uso|trabajo|prefiero|quiero|vivo|dirijo|usamos|vendemos|trabajamos|somos|mi|nuestr\w*|\p{L}+(?:o|mos)\b)/u

const CHANGE =
  /\b(?:now|instead|again|no longer|any ?more|not|rather|these days|changed?|switch(?:ed)?|moved|from now on|jetzt|statt|stattdessen|wieder|nicht mehr|ab sofort|lieber|desormais|plutot|au lieu|de nouveau|maintenant|ahora|en lugar|en vez|otra vez|ya no)\b/
