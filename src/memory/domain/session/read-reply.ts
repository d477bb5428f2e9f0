import { ellipsis } from '../../../kernel/domain/text.ts'
import { type Offer, sentencesOf } from './read-offer.ts'

interface Reply {
  readonly title: string
  readonly rejected: readonly string[]
  readonly context: string
  readonly isStrong: boolean
}

const LONGEST_REPLY = 1_200
const LONGEST_TITLE = 120
const LONGEST_CONTEXT = 600

const DEFERS =
  /\b(?:not now|not yet|later|let me think|think about it|thinking out loud|sleep (?:on|over)|dunno|don'?t know|not sure|no idea|(?:maybe|perhaps)(?! \d)|we'?ll see|let'?s see|for now|some ?day|next (?:week|month|year)|wait|hold on|what if|i'?ll ask|asking|must ask|have to ask|need to ask|should ask|first i|depends|ask me again|tomorrow|(?:just|only) (?:an idea|a thought|curious|wondering)|solo una idea|nur (?:so )?eine? (?:idee|gedanke)|juste une idée|park(?:ed)? (?:it|this|that)|hold off|on hold|revisit|another time|not this (?:week|month|sprint|year)|out of scope|not worth|don'?t bother|no time|(?:let'?s|we(?:'ll)?|to) decide (?:that |it |this )?(?:when|once|after)|let me (?:first|try|see|check|look)|vielleicht|weiß nicht|später|peut-être|plus tard|quizás|luego)\b/iu
const REVERSES =
  /\b(?:undo|revert|forget (?:it|that|about)|put (?:the |that )?\w+ back|roll(?:ing)? (?:it |that |this )?back|never ?mind|scratch that|take (?:it|that) back|second thoughts?|(?:throw|rip|take|kick|pull|remove|drop|get rid of|delete|switch|change|move|go)\b[^.!?]{0,30}\b(?:out|off|it|that|this|back) again|go(?:ing)? back to|back to how|on revient|wieder (?:raus|weg|zurück|ausbauen|entfernen)|volvemos a|changed? my mind|put it back|as it was|mach.{0,12}rückgängig|doch nicht|annule|déshaz)\b/iu
const SARCASM = /\b(?:yeah right|sure,? (?:and|because|let's)|lol|\/s\b|haha|great idea)\b|🙄/iu
const CHOOSES =
  /\b(?:let'?s (?:go|use|take|do|keep|stay|try)|go(?:ing)? (?:with|for)|we(?:'ll| will)? (?:go|use|take|keep|stay)|i(?:'ll| will)? (?:take|go)|instead of|rather than|over|it is|prefer|stick (?:with|to)|stay(?:s)? with|then|definitely|clearly|use|take|keep|drop|just the|only the|both|neither|none|choose|pick|sold|nehmen|dann|lieber|statt|on prend|plutôt|vamos con|mejor|prefiero)\b/iu
const CHOSEN_BY_PLACE =
  /^(?:(?:ok|okay|yes|yep|ya|so|then|hm+|definitely|let'?s (?:do|go with)|go with|i'?d (?:say|take))[\s,.!]+)*(?:option |the )?(?:(?<letter>[a-d1-4])|(?<place>first|1st|second|2nd|third|3rd|last|former|latter|erste[ns]?|zweite[ns]?))(?:\s+one)?(?=$|[\s.,!)])/iu
const AGREES =
  /^(?:ok(?:ay)?|k|yes|yep|yeah|ya|sure|agreed?|deal|fine|good|great|perfect|sold|right|exactly|do (?:it|that)|go|sounds (?:good|right|reasonable)|makes sense|true|why not|ja|gut|genau|passt|einverstanden|klingt (?:gut|vernünftig)|das klingt|so machen wir|machen wir|oui|d'accord|parfait|ça marche|sí|si|vale|dale|claro|perfecto|sim|pode ser|beleza|va bene|perfetto|oké|prima|dobra|tak|да|ок|давай|хорошо|согласен)(?!\p{L})|^👍/iu

/** `no lstm, trees with those features`. */
const NO_BUT =
  /^(?:(?:ok|okay|so|then|hm+|well)[\s,]+)*no (?!problem|worries|thanks|need|idea|rush|way|hurry|no\b)(?<without>[^,.;!?]{2,40})[,;] +(?<taken>[^?]{4,})$/iu
/** `ok zoneinfo, no pytz`: both were named before. */
const NOT_THAT =
  /^(?:(?:ok(?:ay)?|yes|so|then|hm+|well|ja|oui|sí)[\s,]+)*(?<taken>[^,.;!?]{2,60}?),?\s+(?:and |und )?(?:no|not|without|kein[e]?|nicht|pas de|sin|niet|geen)\s+(?<without>[^,.;!?]{2,40})/iu
/** A question without its mark. */
const ASKS =
  /^(?:(?:and|but|so|hm+|ok)[\s,]+)*(?:do|does|did|is|are|can|could|would|should|what|how|why|which|who|when|where|any)\b(?!.*\bthen\b)/iu
/** Refers to an earlier decision, which is not a new one. */
const REPEATS = /\bas (?:we |already |was )*(?:decided|agreed|discussed|said)\b|\bwe (?:already|had) decided\b/iu
const COUNTERS = /\b(?:will do|use|do|instead|take|with|just|rather|lieber|plutôt|mejor)\b|\s[-–—:]\s/iu

/**
 * The decision in a reply, if any. `offer` is the offer in the agent's message just before; `open` contains
 * alternatives named earlier and not yet answered, newest first.
 */
export function readReply(said: string, offer: Offer | undefined, open: readonly Offer[]): Reply | undefined {
  if (said.length > LONGEST_REPLY || SARCASM.test(said)) return undefined
  const sentences = sentencesOf(said.replace(/^[\p{So}\s]+/u, '')).filter(
    (one) => !one.endsWith('?') && !ASKS.test(one) && !OPEN.test(one),
  )
  if (sentences.length === 0) return undefined
  const plain = sentences.join(' ')
  if (DEFERS.test(plain) || REPEATS.test(plain)) return undefined
  const isShort = (plain.match(/[\p{L}\p{N}]+/gu) ?? []).length <= SHORT_REPLY
  if (offer !== undefined && isShort && COSMETIC.test(offer.text)) return undefined
  const choices = [...(offer?.isChoice === true ? [offer] : []), ...open]
  for (const choice of choices) {
    const at = chosenAt(plain, choice.options)
    if (at !== undefined) return decided(plain, { choice, at, isStrong: true })
  }
  const [choice] = choices
  if (choice !== undefined && choice === offer && CHOOSES.test(plain))
    return decided(plain, { choice, at: undefined, isStrong: true })
  // The agent named one of the options last, and the user agrees.
  const settled = open.find(({ options }) => offer === undefined || chosenAt(offer.text, options) !== undefined)
  if (settled !== undefined && offer !== undefined && !offer.isChoice && AGREES.test(plain) && plain.length < 60)
    return decided(plain, { choice: settled, at: chosenAt(offer.text, settled.options), isStrong: true })
  const { without, taken } = NO_BUT.exec(plain)?.groups ?? {}
  if (offer !== undefined && without !== undefined && taken !== undefined)
    return { title: titleOf(taken), rejected: [without.trim()], context: contextOf(offer), isStrong: true }
  const either = NOT_THAT.exec(plain)?.groups
  if (
    offer !== undefined &&
    either !== undefined &&
    isNamed(either['taken']!, offer) &&
    isNamed(either['without']!, offer)
  )
    return { title: titleOf(plain), rejected: [either['without']!.trim()], context: contextOf(offer), isStrong: true }
  const [, refused] = /^(?:no|nah|nope|nee?|nein|non)\b[,.!\s]+(.{15,})$/isu.exec(plain) ?? []
  if (refused !== undefined && COUNTERS.test(refused))
    return {
      title: titleOf(refused),
      rejected: [],
      context: offer === undefined ? '' : contextOf(offer),
      isStrong: true,
    }
  const versus =
    /(?<chosen>[^.,;!]{2,80}?)\s*(?:,\s*)?\b(?:instead of|rather than|not|over|statt|plutôt que|en vez de)\s+(?<other>[^.,;!?]{2,60})/iu.exec(
      plain,
    )
  if (versus !== null && offer !== undefined && CHOOSES.test(plain))
    return {
      title: titleOf(plain),
      rejected: [versus.groups!['other']!.trim()],
      context: contextOf(offer),
      isStrong: true,
    }
  return undefined
}

const isNamed = (name: string, { text }: Offer): boolean => {
  const words = wordsOf(text)
  return wordsOf(name).some((word) => words.includes(word))
}

/** Looks and wording: nobody looks them up in a record. */
const COSMETIC =
  /\b(?:colou?rs?|icons?|captions?|wording|headline|font|margins?|padding|spacing|emojis?|(?:button|menu|variable|function|class|method|file|branch) (?:text|label|name)|farbe|beschriftung|couleur|icône)\b/iu
const SHORT_REPLY = 4

function decided(
  plain: string,
  { choice, at, isStrong }: { choice: Offer; at: number | undefined; isStrong: boolean },
): Reply {
  const chosen = at === undefined ? undefined : choice.options[at]
  const words = plain.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
  const isTelling = chosen !== undefined && (words < 4 || chosen.includes(' ') || AGREES.test(plain))
  const title = isTelling ? chosen : plain
  return {
    title: titleOf(title),
    rejected: at === undefined ? [] : choice.options.filter((_, i) => i !== at),
    context: contextOf(choice),
    isStrong,
  }
}

/** Index of the option that a reply chooses, by position or words. */
function chosenAt(plain: string, options: readonly string[]): number | undefined {
  const { letter, place } = CHOSEN_BY_PLACE.exec(plain)?.groups ?? {}
  const byPlace =
    letter !== undefined
      ? /\d/.test(letter)
        ? Number(letter) - 1
        : letter.toLowerCase().charCodeAt(0) - 97
      : place === undefined
        ? undefined
        : /^(?:last|latter)/i.test(place)
          ? options.length - 1
          : /^(?:second|2nd|zweite)/i.test(place)
            ? 1
            : /^(?:third|3rd)/i.test(place)
              ? 2
              : 0
  if (byPlace !== undefined) return byPlace < options.length ? byPlace : undefined
  // People name their choice before the reasons against the rest.
  const own = wordsOf(plain)
  const first = options.map((option) => {
    const words = wordsOf(option)
    const at = own.findIndex((word) => words.includes(word) && !isNegated(plain, word))
    return at < 0 ? Infinity : at
  })
  const earliest = Math.min(...first)
  if (earliest === Infinity) return undefined
  const shared = (at: number): number => wordsOf(options[at]!).filter((word) => own.includes(word)).length
  const best = first.flatMap((one, at) => (one === earliest ? [at] : [])).toSorted((a, b) => shared(b) - shared(a))
  return best[0]
}

const isNegated = (plain: string, word: string): boolean =>
  new RegExp(
    `\\b(?:no|not|without|drop|kein[e]?|ohne|pas de|sin|don'?t (?:want|like|need))\\s+(?:\\w+\\s+)?${word.replace(/[^\p{L}\p{N}]/gu, '.')}`,
    'iu',
  ).test(plain)

const COMMON = new Set(
  'the and for with that this them they then than but not you our have has can could would should use used using keep from into one two all its it is are was will what when which how also only just some more less very each like want need make made file files code way'.split(
    ' ',
  ),
)

/** Content words with their plural and case folded. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_.+#-]*/gu) ?? [])
    .map((word) => word.replace(/[.-]+$/, '').replace(/(?<=\w{3})s$/, ''))
    .filter((word) => word.length > 1 && !COMMON.has(word))

const RULE =
  /\b(?:from (?:now|here) on(?:wards)?|going forward|rule for|new rule|policy|(?<=^|[,;:.]\s|\b(?:and|we|to|should|please|but)\s)(?:never|always)|no more|no \w+ (?:ever|again)|(?:don'?t|do not) (?:[\w-]+ ){1,6}again|must not|off the table|is banned|ab (?:jetzt|sofort)|niemals|nie wieder|grundsätzlich|désormais|dorénavant|jamais|toujours|a partir de ahora|nunca|siempre)\b/iu
const ABOUT_PAST =
  /\b(?:never|always) (?:ran|had|did|was|were|been|worked|seen|heard|mind|used|knew|got|understood|happens?|liked|thought)\b|\b(?:it|that|this|he|she|i|they|customers?|users?) (?:\w+ )?(?:never|always)\b/iu

/** A rule that a user sets for later work; undefined if there is none. */
export function standingRule(said: string): string | undefined {
  if (said.length > LONGEST_REPLY) return undefined
  const sentences = sentencesOf(said)
  const at = sentences.findIndex(
    (one) => RULE.test(one) && !one.endsWith('?') && !ABOUT_PAST.test(one) && !DEFERS.test(one),
  )
  return at < 0 ? undefined : titleOf(sentences[at]!)
}

export const isReversal = (said: string): boolean => said.length < LONGEST_REPLY && REVERSES.test(said)

const OPEN =
  /\b(?:(?:must|have to|need to|needs to|should|gotta|gonna|will|i'?ll|let me|to) (?:ask|check with|clarify|find out|look (?:that |it |this )?up|talk to|clear)|ask(?:ing)? (?:legal|the|our|my|him|her|them)|open question|still (?:open|unclear)|(?:legal|somebody|someone) (?:has|needs) to|(?:muss|müssen|sollten).{0,40}(?:fragen|klären)|demander à|preguntar a)\b/iu

/** A question that is left open; undefined if there is none. */
export function isOpenEnd(said: string): string | undefined {
  if (said.length > LONGEST_REPLY) return undefined
  const found = sentencesOf(said).find((one) => OPEN.test(one) && wordsOf(one).length > 1)
  return found === undefined ? undefined : titleOf(found)
}

const titleOf = (text: string): string =>
  ellipsis(
    text
      .replace(/\s+/g, ' ')
      .replace(/^[\s,.!-]+/, '')
      .trim(),
    LONGEST_TITLE,
  )
const contextOf = ({ text }: Offer): string => ellipsis(text.replace(/\s+/g, ' '), LONGEST_CONTEXT)
