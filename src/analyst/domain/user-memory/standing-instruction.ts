import { folded } from './content-words.ts'

/**
 * Whether a sentence of the user instructs the assistant for the future: it must be lasting and address the assistant.
 * "Revenue always drops in August" is lasting but addresses no one.
 */
export function isStandingInstruction(sentence: string): boolean {
  const said = folded(sentence).replace(TAG, '.')
  if (!LASTING.test(said) || PASSING.test(said)) return false
  if (isAsked(said)) return POLITE.test(said)
  return speaksToAssistant(said)
}

/** A trailing "…, ok?", which does not make a question. */
const TAG = /,? (?:ok(?:ay)?|please|right|alright|yes|ja|gut|d'accord|vale|si)\?$/

/** Whether a sentence is a question; `can you always …?` is a polite instruction. */
export const isAsked = (said: string): boolean => /\?\s*["')]*$/.test(said) || said.startsWith('¿') || ASKS.test(said)

const ASKS =
  /^(?:(?:and|so|but|ok|und|et|y),? )?(?:what|why|which|who|whose|how|when(?! (?:you|i|we|there)\b)|where|is|are|does|do (?:you|we|i|they)|did|was|were|has|have you|am i|warum|wieso|welche\w*|wer|wie|wann|wo|was|pourquoi|quel\w*|qui|comment|quand|combien|por que|que|cual\w*|quien\w*|como|cuando|cuant\w*) /

const POLITE =
  /\b(?:(?:can|could|would|will) you|kannst du|konntest du|konnen sie|konnten sie|wurdest du|peux-tu|pouvez-vous|pourrais-tu|pourriez-vous|puedes|podrias|puede|podria)\b/

const STRONG =
  'from now on|from (?:here|today|this point) on(?:wards?)?|going forward|in (?:the )?future|by default|as a (?:general )?rule|henceforth|hereafter|default to|permanently|at all times|without exception|for (?:all )?future|for good' +
  '|ab (?:jetzt|sofort|heute|nun)|von (?:nun|jetzt|heute) an|kunftig|zukunftig|in zukunft|grundsatzlich|standardmassig|dauerhaft|generell|ein fur alle mal' +
  "|desormais|dorenavant|a partir de maintenant|a l'avenir|par defaut|systematiquement|en permanence" +
  '|a partir de ahora|de ahora en adelante|en adelante|por defecto|en el futuro|permanentemente'
const EACH_TIME =
  'whenever|every ?time|each time|any ?time|immer wenn|jedes ?mal(?:,? wenn)?|(?:a )?chaque fois(?: que)?|cada vez(?: que)?'
const EVER =
  "always|never|only ever|do(?:n't| not|nt) ever|immer|nie(?:mals)?|stets|toujours|jamais|siempre|nunca|jamas"

const word = (alternatives: string): string => `(?<![\\p{L}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{N}_])`
const LASTING = new RegExp(`${word(`${STRONG}|${EACH_TIME}|${EVER}`)}|, ever[.!]*$`, 'u')
const PLAINLY_LASTING = new RegExp(word(STRONG), 'u')

/** Words that make a sentence temporary despite lasting words: "this week, always …". */
const PASSING =
  /\b(?:just (?:this )?once|this time|for now|for today|for the moment|for this (?:one|chart|table|query|question|chat|report|answer)|in this (?:chart|table|query|chat|answer|case)|temporarily|until (?:tomorrow|monday|friday|further)|never ?mind|diesmal|nur (?:dieses|ein)mal|vorerst|fur (?:diese|dieses|diesen) (?:tabelle|frage|bericht|diagramm)|cette fois|pour l'instant|esta vez|por ahora)\b|^(?:today|tomorrow|tonight|this (?:week|month|morning|afternoon|quarter)|heute|morgen|diese woche|aujourd'hui|cette semaine|hoy|esta semana)\b(?! on)/

function speaksToAssistant(said: string): boolean {
  if (TELLS_OF_OTHERS.test(said) || COMPLAINT.test(said)) return false
  if (PLAINLY_LASTING.test(said))
    return TOLD.test(said) || OPENS_LASTING.test(said) || ORDER.test(said) || WISH.test(said) || AFTER_A_LEAD.test(said)
  if (LASTING_WISH.test(said) || /^(?:please,? )?no .{2,80}, ever[.!]*$/.test(said)) return true
  if (RELATIVE.test(said)) return false
  return (
    OPENS_EVER.test(said) ||
    DUTY_EVER.test(said) ||
    AFTER_A_LEAD.test(said) ||
    (EACH_TIME_OPENS.test(said) ? EACH_TIME_ORDERS.test(said) : ORDER.test(said) && WITHIN_ORDER.test(said))
  )
}

const SUBJECT =
  'we|our|they|he|she|it|this|that|the|a|these|those|there|i|wir|unser\\w*|er|sie|es|der|die|das|nous|on|il|elle|ils|elles|le|la|les|notre|nos|el|ella|ellos|los|las|nuestr\\w*'
const DUTY =
  '(?:should|must|has to|have to|needs? to|are to|is to|soll(?:te|ten|en|st)?|muss|mussen|doit|doivent|debe|deben)'

/**
 * Statements about others: "From now on we ship from Graz" is about the business; "from now on the amounts should be …"
 * is not.
 */
const TELLS_OF_OTHERS = new RegExp(
  `^(?:${STRONG}),? (?:${SUBJECT}) (?!.*\\b${DUTY}\\b)(?!(?:would|want|expect|prefer|mochte|will|voudrais|veux|quiero|prefiero)\\b)`,
  'u',
)
const COMPLAINT =
  /^(?:but )?you (?:always|never|keep)\b|\b(?:i|ich|je|yo) (?:always|never|immer|nie) (?!want|need|prefer|expect|like)|\b(?:seems?|tends?|appears?|happens?|used) to (?:always|never)\b|^never (?:again|heard|seen|had|thought)\b/

/** Relative clauses, as in "customers who never ordered": the lasting word belongs to the query. */
const RELATIVE = new RegExp(
  `\\b(?:who|that|which|whose|where|die|der|das|welche\\w*|qui|que|dont|quienes|cuyo\\w*) (?:[\\p{L}'-]+ ){0,4}(?:${EVER})(?![\\p{L}])`,
  'u',
)

const LEAD_IN =
  "(?:(?:ok(?:ay)?|thanks|thank you|great|good|fine|perfect|please|kindly|and|but|also|then|now|so|hi|hello|hey|let's|lets|bitte|danke|und|aber|gut|merci|et|mais|stp|s'il te plait|por favor|gracias|y|pero|make sure|be sure|remember|note|to|that|you)[,!:]? )*"

const VERBS =
  "show|use|default|round|answer|reply|respond|write|give|exclude|include|leave|put|sort|order|group|filter|break|compare|mention|state|say|tell|explain|keep|add|display|format|convert|count|treat|assume|ignore|skip|omit|avoid|start|begin|end|call|name|label|draw|plot|make|create|list|limit|return|present|provide|calculate|compute|report|cite|link|quote|split|separate|highlight|mark|translate|speak|talk|stick|respect|follow|check|verify|confirm|ask|suggest|summari[sz]e|remember|note|refer|apply|consider|express|print|output|render|hide|remove|drop|stop|do|don't|dont|be|address|greet|take|set|switch|bring|color|colour|only" +
  '|zeige?n?|zeig|nutzen?|nutz|verwenden?|benutzen?|antworten?|schreiben?|schreib|runden?|gib|geben|nimm|nehmen|rechnen?|formatieren?|sprich|erklaren?|lass|lassen|sortieren?|filtern?|mach|machen?|stellen?|stell|berucksichtigen?|ignorieren?|vermeiden?|nenn|nennen?|liste|vergleichen?|schliessen?|rede|bleib|setzen?|gruppieren?|sprechen' +
  "|utilise[zr]?|montre[zr]?|affiche[zr]?|repond(?:s|ez|re)|donne[zr]?|ecri(?:s|vez|re)|arrondi(?:s|ssez|r)|presente[zr]?|exclu(?:s|ez|re)|inclu(?:s|ez|re)|ignore[zr]|evite[zr]?|compare[zr]|trie[zr]?|ajoute[zr]?|mets|mettez|fais|faites|parle[zr]?|garde[zr]?|precise[zr]?|indique[zr]?|cite[zr]?|classe[zr]?|compte[zr]?|ne|n'\\w+" +
  '|usa|usar|utiliza|utilizar|muestra|muestrame|mostrar|muestre|responde|responder|responda|da|dame|escribe|escribir|redondea|redondear|excluye|excluir|incluye|ignora|evita|compara|ordena|anade|pon|haz|habla|explica|indica|cita|cuenta|no'

const OPENS_LASTING = new RegExp(
  `(?:^${LEAD_IN}|[,;:–—] (?:and |but |please )?|\\b(?:and|but|so|please|bitte|und|et|y) )(?:${STRONG})`,
  'u',
)
const OPENS_EVER = new RegExp(`^${LEAD_IN}(?:${EVER})(?![\\p{L}])(?! (?:wenn|mind)\\b)`, 'u')
const DUTY_EVER = new RegExp(
  `(?<!\\b(?:this|that|it|das|dies|cela|ca|eso|esto) )\\b(?:please|kindly|bitte|you to|sure to|should|must|sollst|sollte|sollten|solltest|musst|dois|devez|debes|debe) (?:(?:du|sie|tu|vous) )?(?:${EVER})(?![\\p{L}])`,
  'u',
)

/** Instructions such as "You should by default …". */
const TOLD =
  /\b(?:you (?:should|must|need to|have to|are to)|du (?:sollst|sollst bitte|musst)|tu dois|vous devez|debes) /

/** Wishes: "I want … from now on", and "I always want …". */
const WISH =
  /\b(?:i (?:want|need|prefer|expect|would like|would prefer)|i'd (?:like|prefer)|ich (?:mochte|will|wunsche)|je (?:veux|voudrais|souhaite|prefere)|j'aimerais|quiero|prefiero|me gustaria)\b/
const LASTING_WISH =
  /\bi (?:always|never) (?:want|need|prefer|expect|like)\b|\bi(?:'d| would) (?:always|never) (?:want|like|prefer)\b|\bich (?:mochte|will) (?:immer|nie)\b|\bje (?:veux|voudrais|prefere) toujours\b|\bich (?:mochte|will|wunsche),? dass (?:du|sie) .{0,60}\b(?:immer|nie|niemals)\b|\bje (?:veux|voudrais|souhaite|prefere) que (?:tu|vous) .{0,60}\b(?:toujours|jamais)\b|\b(?:quiero|prefiero) que .{0,60}\b(?:siempre|nunca)\b|\b(?:siempre quiero|quiero siempre|prefiero siempre|siempre prefiero)\b/

/** Orders that begin with the action: "Use euros from now on", "Zeige Beträge immer …", "Réponds toujours …". */
const ORDER = new RegExp(`^${LEAD_IN}(?:merci d(?:e |'))?(?:${VERBS})(?![\\p{L}\\p{N}_])`, 'u')
/** Lasting words within an order: in English at its end or before the manner, in other languages anywhere. */
const WITHIN_ORDER = new RegExp(
  `(?<![\\p{L}])(?:always(?:[.!]*$| (?:in|with|by|as|first|on|at|for|under|below|above|before|after)\\b)|immer|nie(?:mals)?|stets|toujours|jamais|siempre|nunca|jamas|whenever|(?<!(?:show|list|count|find)(?: me)? )(?:every|each|any) ?time|chaque fois|cada vez|jedes ?mal)(?![\\p{L}])`,
  'u',
)
const EACH_TIME_OPENS = new RegExp(`^${LEAD_IN}(?:${EACH_TIME})(?![\\p{L}])`, 'u')
const EACH_TIME_ORDERS = new RegExp(
  `, (?:then |please |bitte |dann |alors )*(?:(?:${VERBS})(?![\\p{L}])|i (?:mean|want|expect|prefer)\\b|.{0,60}\\b${DUTY}\\b)`,
  'u',
)

/** Orders after a lead-in: "Thanks for the table, but always put Denmark first". */
const AFTER_A_LEAD = new RegExp(
  `(?:[,;:–—] |\\b)(?:and |but |so |then |please |und |aber |bitte |et |mais |y |pero )+(?:${EVER}) (?:${VERBS})(?![\\p{L}])|[,;:–—] (?:${EVER}) (?:${VERBS})(?![\\p{L}])|[,;:] (?:please |bitte )?(?:${VERBS}) .{0,200}(?:${STRONG})|(?:${STRONG})[^.]{0,80}, (?:please |bitte )?(?:${VERBS})(?![\\p{L}])`,
  'u',
)
