/**
 * Whether a mention in a text rejects the thing: "never adopt MongoDB", "instead of Kafka", "X was rejected". A
 * question ("why not Redis?") or a replacement for something else counts as in favour.
 */
export function isRejected(text: string, start: number, end: number): boolean {
  const { before, after, following, isQuestion } = sentenceAround(text, start, end)
  const clean = withoutFalseNegatives(before, isQuestion)
  if (/^,? (?:instead\b(?! of)|then\b(?=$|[,.!?]))/.test(after) && !/\binstead of(?: \S+)?\s*$/.test(clean))
    return false
  if (isCjkTurnedAway(before, after)) return true
  const returns = RETURNS_LATER.test(after) || RETURNS_LATER.test(following)
  if (isHistory(clean) || isBlamed(clean, after + following)) return !returns
  if (isConceded(clean, after) || (isQuestion && DOUBTED.test(clean)) || THEIRS.test(clean)) return true
  if (AFTER.some((pattern) => pattern.test(after)) && !/\b(?:undo|revert|reverse|reconsider|restore)\b/.test(clean))
    return !returns
  if (CONVERTED.test(clean) && /^(?: [\w-]+){0,3} (?:to|into|onto|in|as) \S/.test(after)) return !returns
  if (SPLIT_VERB.test(clean) && /^(?: [\w-]+){0,2} (?:out|down|off|away|behind|go)\b/.test(after)) return !returns
  return isTurnedAwayBefore(clean, after) && !returns
}

const DOUBTED = /\bdo(?:es)? \w+ (?:still|really|even|actually) (?:need|want|use)\b[^,]{0,20}$/
// If others use something, it is not adopted here.
const THEIRS =
  /\b(?:competitors?|vendors?|customers?|suppliers?|other (?:teams|companies|people)|others|everybody|everyone|some people|upstream)(?:'s?)?(?: \w+){0,2} (?:uses?|runs?|has|have|rely on|relies on|depends? on|likes?|swears? by)(?: on)? (?:a |an |the |their )?$/

/** True for past use: "The old system used MongoDB". */
const isHistory = (before: string): boolean =>
  /\b(?:previously|formerly|historically|in the past|back then|originally|the old|legacy|the previous|the former)\b[^.;]*\b(?:used|ran|had|relied on|depended on|wrote|written in|built (?:on|with)|uses?|runs?(?: on)?)\b[^,;]{0,20}$/.test(
    before,
  )

/** True for a fault followed by the alternative: "Axios adds 14 kB for nothing, use fetch". */
const isBlamed = (before: string, after: string): boolean =>
  /^\W*(?:with |the |an? |running |using )?$/.test(before) &&
  /\b(?:cannot|can't|would (?:see|pay|cost|leak|mean)|clutters?|adds? (?:an? |\d)|costs?|hurts?|burden|too |for nothing|surprises?|leaks?|breaks?|drains?|hides?|ties us|locks us|loses?|slow)\b.*(?:[;,]|\bso\b|\btherefore\b|\bhence\b) ?(?:so |we |therefore )?(?:use|keep|run|stick|stay|call)\b(?! (?:it|them)\b)/.test(
    after,
  )

/** True for a concession: "Although Kafka is popular, calls are enough." */
const isConceded = (before: string, after: string): boolean =>
  /^\W*(?:although|though|even if|even though|while|whereas|sure,?)\b/.test(before) &&
  !before.includes(',') &&
  /,[^,]*\b(?:enough|stays?|keep|suffices?|remains?|sticks?)\b/.test(after)

const LONGEST_SIDE = 400
const BREAK = /[.!?;。！？；](?=\s|$)|[。！？；]|\n\s*(?:[-*•]|\d+[.)])\s|\n\s*\n/gu

function sentenceAround(text: string, start: number, end: number) {
  const from = Math.max(0, start - LONGEST_SIDE)
  const left = text.slice(from, start)
  const breaks = [...left.matchAll(BREAK)].filter(({ index }) => !isAbbreviation(left, index))
  const cut = breaks.at(-1)
  const right = text.slice(end, end + LONGEST_SIDE)
  const stop = [...right.matchAll(BREAK)].find(({ index }) => !isAbbreviation(right, index))
  const plain = (part: string): string => part.toLowerCase().replaceAll(/[’‘`]/g, "'").replaceAll(/\s+/g, ' ')
  return {
    before: plain(cut === undefined ? left : left.slice(cut.index + cut[0].length)),
    after: plain(stop === undefined ? right : right.slice(0, stop.index)),
    following: plain(right.slice(stop?.index ?? right.length)).slice(0, 120),
    isQuestion: stop !== undefined && /[?？]/.test(stop[0]),
  }
}

const isAbbreviation = (text: string, index: number): boolean =>
  text[index] === '.' && /\b(?:e\.g|i\.e|vs|etc|cf|approx|incl|no)$/i.test(text.slice(Math.max(0, index - 7), index))

// Negative in form but not in meaning: the text after them is in favour.
const FALSE_NEGATIVES: readonly (readonly [RegExp, string])[] = [
  [
    /\bwhy (?:not|(?:don't|doesn't|can't|couldn't|shouldn't|wouldn't|isn't|aren't|didn't|haven't)(?: (?:we|you|i|they|it))?|(?:do|can|should|could) (?:we|you|they|i) not)\b/g,
    ' ',
  ],
  [/\b(?:warum|wieso|weshalb) nicht\b|\bpourquoi pas\b|\bpor qu[eé] no\b/g, ' '],
  [/\bnot (?:only|just|merely|simply|solely)\b/g, ' '],
  [/\bno (?:reason|excuse) (?:not to|to avoid|against)\b/g, ' '],
  [
    /\b(?:nothing|no argument|no objections?|i have nothing|we have nothing) (?:is |speaks )?(?:wrong with|against|to)\b/g,
    ' ',
  ],
  [/\bnothing (?:but|beats|else than|other than|short of)\b/g, ' '],
  [
    /\b(?:never mind|no matter|no doubt|no wonder|don't forget|do not forget|never forget|don't hesitate|do not hesitate|not bad|no later than|not least)\b/g,
    ' ',
  ],
  [/\bnot (?:sure|certain|clear|convinced|decided)\b/g, ' '],
  [
    /\b(?:don't|do not|doesn't|does not) (?:know|see|understand|get|mind|care|object)\b(?: (?:if|whether|why|what))?(?:.*?\b(?:not|shouldn't|can't|couldn't|don't)\b)?/g,
    ' ',
  ],
  [
    /\b(?:can't|cannot|can not|couldn't|won't|not|hardly|no way to|impossible to) (?:\w+ ){0,3}(?:without|avoid|do without|live without|get around)\b/g,
    ' ',
  ],
  [
    /\b(?:no|not a|without) (?:real |good |better |other )*(?:alternatives?|substitutes?|replacements?|way around|choice)(?: (?:but|to|for|than))?\b/g,
    ' ',
  ],
  [
    /\b(?:stop|stopped|quit|no longer|don't|do not|never|not) (?:to )?(?:avoid|ban|forbid|reject|rul|exclud|dismiss|prohibit)(?:s|ing|ed)?(?: out)?\b/g,
    ' use ',
  ],
  [
    /\b(?:lift|undo|revert|reverse|overturn|reconsider|revisit|override|ignore|relax|drop|waive|despite|question)\w* (?:the |our |this |that |its |earlier |old )*(?:ban|removal|rejection|prohibition|veto|objections?|aversion|avoidance)s?(?: (?:on|of|against|to))?/g,
    ' use ',
  ],
  [
    /\b(?:mistake|wrong|wrongly|error) (?:to |in |of )?(?:reject|drop|avoid|remove|dismiss|discard)(?:ed|ing|ping|ped|ing)?\b/g,
    ' use ',
  ],
]

function withoutFalseNegatives(before: string, isQuestion: boolean): string {
  const clean = FALSE_NEGATIVES.reduce((text, [pattern, by]) => text.replace(pattern, by), before)
  return isQuestion ? clean.replace(INVERTED, ' ') : clean
}

// "Don't we want Redis?", "should we not use it?"
const INVERTED =
  /(?:^|[,:] ?|\b(?:so|and|but|then|well|hmm) )\W*(?:(?:don't|doesn't|didn't|shouldn't|couldn't|can't|wouldn't|won't|isn't|aren't|haven't|hasn't)\b|(?:should|could|can|would|do|does|must|is|are) (?:\w+ ){1,2}not\b)/g

const BE = String.raw`(?:is|was|were|are|be|been|being|gets?|got|has been|have been|had been|will be|should be|must be|can be|could be|would be|to be|is being|are being|ist|wird|wurde)`
const GONE = String.raw`(?:rejected|ruled out|turned down|removed|dropped|retired|replaced|superseded|deprecated|forbidden|banned|prohibited|avoided|discarded|dismissed|abandoned|decommissioned|phased out|eliminated|excluded|uninstalled|ripped out|turned off|switched off|shut down|torn down|absent|deleted|disallowed|vetoed|declined|abgelehnt|verworfen|ersetzt|entfernt|out of the question|off the table|off limits|overkill|a (?:bad|poor|wrong|terrible|dangerous) (?:idea|choice|fit)|a mistake|a no(?:-go)?(?= |$|,)|wrong for|unnecessary|superfluous|obsolete|redundant|unneeded|unwanted|gone|history|not needed|not required|not used|not an option|not allowed|not wanted|not necessary|not worth|not acceptable|not permitted|not part of|not imported|not welcome|not (?:suitable|appropriate|fit)|not installed|not present|not the (?:right|answer|way)|not for us|not in|not going to|not on the table|no longer|no option|out(?= |$|,)|too (?:heavy|complex|much|expensive|big|slow|costly|fragile))`
const AFTER: readonly RegExp[] = [
  // "Redis was rejected", "the Celery worker should be removed"
  new RegExp(
    `^'?s?(?: (?!and |or |but |for |with |to |in |as |so |that |which )[\\w-]+){0,2} (?:\\w+ )?${BE} (?:\\w+ly |already |now |therefore |finally |then |all )?${GONE}`,
  ),
  new RegExp(
    `^'?s?(?: [\\w-]+){0,1} ${BE}n't (?:needed|required|used|an option|allowed|wanted|necessary|worth|acceptable|permitted|part of|the (?:right|answer|way)|for us|going to)`,
  ),
  /^(?: [\w-]+){0,2} (?:(?:should|must|shall|may|will|would|can|could|do|does|did)(?:n't| not| never)|won't|cannot|can't|never) (?:be |make |have |fit|belong|scale|work|come|return|pass|exist|do\b|enter|go\b)/,
  /^(?: [\w-]+){0,1} (?:must|has to|have to|had to|needs to|should|can|will|got to) (?:go(?: away)?|disappear|leave|die)(?=$|[ ,.])/,
  /^(?: [\w-]+){0,1} (?:goes|went|going) (?:away|out)\b/,
  /^(?:-(?:free|less|like|style|styled|esque)|[- ](?:compatible|inspired|flavou?red))\b/,
  /^(?: [\w-]+){0,1}[- ](?:removal|deprecation|sunset|teardown|clean-?up|phase-?out|exit|retirement|decommissioning|ban|shutdown|replacement|alternatives?)\b/,
  /^[- ]to[- ]\S+(?: [\w-]+)? (?:migration|move|switch|rewrite|transition)\b/,
  /^ ?(?:->|→|=>) ?\S/,
  /^,? (?:rejected|ruled out|removed|dropped|nicht|nie|niemals|abgelehnt)\b/,
  new RegExp(`^(?:, [\\w.+-]+){0,4},? (?:and|or) [\\w.+-]+ (?:were|are|have been|was) (?:all |both )?${GONE}`),
  /^ (?:did|used to|lost|loses|support ends?)\b|\bwant to avoid\b/,
  /^(?: [\w-]+)? (?:makes?|made) (?:no|little) sense\b/,
  /^ (?:unnecessary|superfluous|obsolete|redundant|unneeded|pointless)\b/,
  /^\s?(?:[:(–—]|- ) ?(?:rejected|ruled out|turned down|no\b|out\b|dropped|removed|not )/,
  /^(?: [\w-]+)?,? (?:was |were |has been )?(?:considered |evaluated |tried |discussed |examined |weighed )?(?:[\w-]+ ){0,3}?(?:and|but) (?:was |were |then |we )?(?:rejected|said no|decided against|turned (?:it|them) down|dropped|dismissed|discarded|not)\b/,
  // "asked for GraphQL, but we stay with REST"
  /\b(?:but|yet|however)\b[^;]*\b(?:stays?|staying|remains?|stick|(?:is|are) enough|suffices?|not for us|we (?:do not|don't)|keep|instead)\b/,
  /\b(?:avoid|drop|skip|leave|reject) (?:it|them)\b/,
  /^(?: [\w-]+)? outweighs?\b|\badds? (?:\w+ ){0,3}(?:burden|dependency|complexity|costs?|overhead|work)\b/,
  /^ (?:wird|werden|ist|sind|soll|sollte|sollen) nicht\b|^ (?:zu )?verzicht/,
  /(?:: |\ba: )no\W*$/,
  /^ doesn't (?:fit|belong|scale|work|make)/,
]
const RETURNS_LATER =
  /\b(?:but|yet|however|nevertheless|still|though)\b.*\b(?:(?:use|adopt|add|bring|try|introduce|want|need|allow|take|go with) (?:it|them|that|this)|again|anyway|another (?:look|try|chance)|worth (?:it|another|a))\b|\b(?:it|them|that|this) back\b|\breconsider|\brevisit|(?:\b(?:we should|let's|let us|so|now|please|then)|[,;.]) (?:\w+ )?(?:use|add|adopt|try|reintroduce|take) it\b/
// "Convert the Jest tests to Vitest"
const CONVERTED =
  /\b(?:convert|migrat|port|rewrit|translat|transition)(?:s|e|es|ing|ed)?(?: (?:the|our|all|any|this|that|old|last|every|remaining))*\s*$/
const SPLIT_VERB =
  /\b(?:turn|rip|tak|took|take|keep|leav|leave|phas|phase|rul|rule|throw|threw|shut|tear|tore|strip|cut|swap|get|let|push|pull)(?:s|ing|ed|ped|ping|ped|ting|ting|ping|n)?(?: (?:the|our|all|any|this|that|old|last))*\s*$/

type Kind = 'for' | 'against' | 'none of' | 'from' | 'over' | 'in its place'

// The last operator before a name, in sentence order, determines the stance.
const OPERATORS: readonly (readonly [Kind, RegExp])[] = [
  [
    'against',
    /\b(?:avoid|remov|drop|delet|retir|decommission|eliminat|uninstall|sunset|deprecat|bann|forbid|forbad|forbidd|prohibit|reject|refus|abandon|ditch|discard|replac|swap|supersed|disabl|exclud|dismiss|skip|forgo|unwind|strip|scrap|purg|renam|cancel|terminat|unplug|banish|shun|veto|outlaw|disallow|eradicat)(?:e|s|es|ed|ing|ping|ped|ting|ted|ning|ned|en|ment|al|ion|ation)*\b(?: out)?(?: of)?/g,
  ],
  [
    'against',
    /\b(?:ban|kill|killing|shut\w* down|t[eo]ar\w* down|tore down|tak\w+ down|clos(?:e|es|ing) (?:the|our|down)|end(?:s|ing)? (?:the|our)|unsubscrib\w+ from|clean\w* up|end\w* support (?:for|of)|(?:stop|ceas)\w* supporting|archiv(?:e|es|ing) (?:the|our|all)|(?:we|they|i) left|(?:deny|block|black)[- ]?list(?:ed|s)?|cut|cutting|get rid of|getting rid of|rid of|rip out|ripping out|ripped out|rips out|phas\w+ out|rul\w+ out|turn\w* down|turn\w* off|tak\w+ out|mov\w+ (?:\w+ )?(?:off|away from|on from)|migrat\w+ (?:\w+ )?(?:off|away from)|get\w* (?:off|away from)|stay\w* away from|steer\w* clear of|keep\w* clear of|wean\w* off|step\w* back from|leav\w+ behind|away from|decid\w+ against|say\w* no to|said no to|no to|stop\w* using|quit\w* using|stop\w* relying on|cease using|ceas\w+ to use|(?:mov|tak|get|pull|migrat|extract|keep|stay)\w* (?:\w+ ){0,4}out of|(?:fail|complain|warn|error|alert)\w* (?:the \w+ )?(?:when|if|whenever|on)|what (?:is|was) left of|remains of|remnants of|leftovers? of|traces? of|farewell to|goodbye to|weg von|entfern\w*|ersetz\w*|vermeid\w*|abl[oö]s\w*|remplac\w+|evitar|[eé]viter)\b/g,
  ],
  [
    'none of',
    /\b(?:without|instead of|rather than|in place of|in lieu of|as opposed to|except(?: for)?|excluding|unlike|free of|free from|alternatives? to|alternative for|replacements? for|substitutes? for|successors? (?:to|of)|independent of|apart from|other than|everything but|all but|anything but|no need for|no use for|no room for|no place for|need for no|lack of|absence of|similar to|inspired by|beats?|outperforms?|in contrast to|contrary to|nein zu|verzicht\w* auf|n'utilise pas|pas|tak\w+ the place of|took the place of|(?:took|tak\w+) over from|(?:risks?|dangers?|drawbacks?|downsides?|disadvantages?|pitfalls?|shortcomings?) of|compared (?:to|with)|neither|nor|no|not|never|cannot|no more|against|ohne|statt|anstatt|anstelle von|kein\w*|nicht|nie|sans|sin|au lieu de|pas de|en lugar de|en vez de|than)\b|n't\b/g,
  ],
  [
    'for',
    /\b(?:us(?:e|es|ing|ed)|adopt(?:s|ing|ed)?|add(?:s|ing|ed)?|introduc\w+|reintroduc\w+|install\w*|choos\w+|chose|pick\w*|select(?:s|ing|ed)?|prefer\w*|favou?r(?:s|ing|ed)?|in favou?r of|go(?:es|ing)? (?:back to|with|for)|build\w*|deploy\w*|run(?:s|ning)?|bring\w*(?: (?:in|back))?|implement\w*|try(?:ing)?|rely\w* on|depend(?:s|ing)? on|return\w* to|back to|rewrite \w+ in|want(?:s|ed)?|need(?:s|ed)?|tak(?:e|es|ing)|cut(?:ting)? over to|requir\w+|let's|lets|consider\w*|evaluat\w+|propos\w+|recommend\w*|suggest\w*|embrac\w+|switch(?:es|ing|ed)? (?:\w+ ){0,3}to|mov(?:e|es|ing|ed) (?:\w+ ){0,4}?(?:to|onto|into)|migrat(?:e|es|ing|ed|ion) (?:\w+ ){0,4}?(?:to|onto|into)|port(?:ing|ed)? (?:\w+ ){0,4}?to|via|on top of|based on|powered by|backed by|enabl\w+|creat\w+|writ\w+|set\w* up|start\w* (?:using|with)|stick\w* (?:with|to)|keep(?:s|ing)?|hav(?:e|ing)|leverag\w+|put(?:s|ting)?|insert\w*|plac(?:e|es|ing)|wir(?:e|es|ing)|spin\w* up|provision\w*|connect\w*|start(?:s|ing)?|launch\w*|call(?:s|ing)?|index(?:es|ing)?|publish\w*|send(?:s|ing)?|ship(?:s|ping)?|stor(?:e|es|ing)|import(?:s|ing)?|read(?:s|ing)?|integrat\w+|employ\w*|means|towards?|onto|verwend\w+|nutz\w+|utiliser|usar|but)\b/g,
  ],
  ['in its place', /\b(?:with|by|for|to|durch|par|por)\b/g],
  ['from', /\bfrom\b/g],
  ['over', /\bover\b/g],
]

interface Operator {
  readonly kind: Kind
  readonly index: number
  readonly end: number
  readonly word: string
}

function operatorsIn(before: string): Operator[] {
  const all = OPERATORS.flatMap(([kind, pattern]) =>
    [...before.matchAll(pattern)].map((match) => ({
      kind,
      index: match.index,
      end: match.index + match[0].length,
      word: match[0],
    })),
  )
  // "stop using" is one negative operator, not also a positive one.
  const isPart = (a: Operator) => all.some((b) => b !== a && b.index <= a.index && b.end >= a.end && b.word !== a.word)
  return all.filter((each) => !isPart(each)).sort((a, b) => a.end - b.end)
}

const REPLACING =
  /\b(?:replac|swap|switch|chang|substitut|exchang|trad|convert|mov|migrat|port|transition|ersetz|remplac)\w*\b[^;]{0,80}$/
const MOVING =
  /\b(?:migrat|mov|switch|port|convert|transition|chang|shift|rewrit|upgrad|go|get|step|back|depart|exit|escap|free|keep|protect|isolat|extract|detach|decoupl|separat|remov|unhook|liberat|withdraw|clean|strip)\w*\b[^,;]*$/
const PREFERRING = /\b(?:prefer|choos|chose|pick|favou?r|select|better|rather|win|won|beat|opt)\w*\b[^;]*$/

function isTurnedAwayBefore(before: string, after: string): boolean {
  const operators = operatorsIn(before)
  for (let i = operators.length - 1; i >= 0; i--) {
    const operator = operators[i]!
    const head = before.slice(0, operator.index)
    const gap = before.slice(operator.end)
    if (hasNewSubject(gap, after)) continue
    switch (operator.kind) {
      case 'for':
        if (operator.word === 'but') return false
        // "Remove the worker that uses Redis": the verb only identifies the worker.
        if (CLAUSE.test(gap) || /^(?:us(?:e|es)|imports?) of\b/.test(operator.word + gap)) continue
        if (/\b(?:that|which|who|where)(?: \w+)? $/.test(head) && !isNegated(head)) continue
        return isNegated(head)
      case 'in its place': {
        // "Replace Postgres with MongoDB" adopts MongoDB; "do not replace Postgres with MongoDB" rejects it.
        const verb = REPLACING.exec(head)
        if (verb === null || gap.split(' ').length > 5) continue
        return isNegated(head.slice(0, verb.index))
      }
      case 'from':
        if (MOVING.test(head) && reaches(gap)) return true
        continue
      case 'over':
        if (PREFERRING.test(head) && reaches(gap)) return true
        continue
      case 'against':
        if (!reaches(gap)) continue
        return !isNegated(head)
      case 'none of':
        if (!reachesAsNone(operator.word, gap)) continue
        if (operator.word === 'against' && isNegated(head)) return false
        if (operator.word === 'than' && /\b(?:nothing|no|none)\b/.test(head)) return false
        return true
    }
  }
  return false
}

const CLAUSE =
  /[;:()—–]|\b(?:but|so|because|since|while|whereas|although|though|then|when|once|if|as|until|unless|after|before)\b/

/** A negative operator covers a whole list and ends with the clause. */
const reaches = (gap: string): boolean =>
  !CLAUSE.test(gap.replace(/^: ?/, '').replaceAll(/\b(?:such as|e\.g\.?)/g, '')) && !MEANS.test(gap)

// "Avoid load by caching in Redis", "eliminate the lookup with a token": the means, not the thing avoided.
const MEANS = /\b(?:we|you|i|they|let's|lets|by \w+ing|with an?)\b/

/** True for a new subject after the comma: "Remove the worker, Redis will do it". */
const hasNewSubject = (gap: string, after: string): boolean =>
  gap.includes(',') && !/\b(?:and|or|nor)\s*(?:the |our |a |an )?$/.test(gap) && FINITE.test(after)

const FINITE =
  /^(?: [\w-]+)? (?:will|can|would|should|could|is|has|handles|does|may|might|takes|becomes|gives|serves|keeps|runs)\b/

function reachesAsNone(word: string, gap: string): boolean {
  if (!reaches(gap)) return false
  const items = gap.split(/,|\b(?:or|and|nor)\b/)
  const longest =
    /^(?:without|instead|rather|in |as |except|excl|unlike|alternat|replace|substit|apart|other|everything|all|any)/.test(
      word,
    )
      ? 6
      : 4
  const most = longest === 4 && gap.includes(',') ? 2 : longest
  return items.every((item) => item.trim().split(' ').length <= most)
}

const NEGATION =
  /(?:^|\s)no $|(?:^|\bthat|,) ?no \w+ (?:[\w']+ ){0,3}$|(?:\b(?:not|never|cannot|nobody|no one|nothing|none|nicht|ne|hardly|no longer|nor|neither)\b|n't\b)(?: [\w']+){0,4} ?$|\b(?:without|avoid(?:s|ing)?|against|instead of|rather than|stop(?:s|ping)?|refus\w+ to|forbid\w* (?:\w+ )?(?:to)?|ban(?:s|ned)? (?:on )?|reject\w*(?: the (?:idea|proposal|plan) (?:of|to))?|no (?:need|reason|point|plans?|intention|desire|wish|sense|appetite|use|case|benefit|value)(?: (?:to|in|for|of))?|(?:unwise|wrong|pointless|too early|overkill|foolish|risky|dangerous|unnecessary|forbidden) to|(?:mistake|bad idea|waste of time|waste) to|(?:drop|abandon|scrap|reject|cancel|kill|declin|withdraw|shelv|turn|vot|stop)\w*(?: down| against)? (?:the |our |all |any |every )*(?:idea|plans?|proposals?|suggestions?|attempts?|requests?|pull requests?|efforts?|work) (?:to|of|for|that)|free of|against the idea of|ohne|statt)(?: [\w']+)? ?$/

// "Warn when someone adds it", "reject pull requests that import it"
const PREVENTED =
  /\b(?:fail|warn|complain|error|alert|block|prevent|reject|refus|deny|den|stop|catch|detect|disallow|forbid|guard)\w*\b[^;]{0,40}\b(?:when|if|whenever|any|every|some(?:one|body)|any(?:one|body)|people|pull requests?|commits?|changes?)\b[^,;]{0,20}$/

/** Whether the verb that follows is negated: "do not want to", "without ever", "no need to". */
function isNegated(head: string): boolean {
  const start = Math.max(
    ...[...head.matchAll(new RegExp(CLAUSE, 'g'))].map(({ index, 0: word }) => index + word.length),
    0,
  )
  const clause = head.slice(start).replace(/.*,(?! *(?:ever|under|at least|in any|by any))/, '')
  return PREVENTED.test(head) || NEGATION.test(clause.replace(/ +$/, ' ').trimEnd() + ' ')
}

const CJK_BEFORE =
  /(?:不要|不再|不会|不能|不应|不可|不必|不|别|勿|避免|弃用|放弃|移除|删除|去掉|去除|而不是|而非|代替|替代|替换|取代|替换掉|禁止|禁用|拒绝|否决|无需|没有|停止)(?:使用|采用|用|引入|选择|选用|依赖|需要|了|再|考虑|再用)*\s*$/
const CJK_AFTER =
  /^\s*(?:(?:は|を|が|も|の)?\s*(?:使わ|使用し(?:ない|ません)|採用し(?:ない|ません)|やめ|廃止|不要|避け|却下|導入し(?:ない|ません))|(?:를|을|은|는|가|이)?\s*(?:사용하지|쓰지|제거|없이|대신|도입하지)|(?:已)?被?(?:否决|拒绝|弃用|移除|淘汰|替换|取代|换掉|换成|替换成|替换为|迁移到)|不(?:适合|需要|合适|再|可用|用|考虑))/

function isCjkTurnedAway(before: string, after: string): boolean {
  if (/(?:为什么|为何|何不|怎么|难道|是不是|不仅|不只|不光)[^，。]*$/.test(before)) return false
  return CJK_BEFORE.test(before) || CJK_AFTER.test(after)
}
