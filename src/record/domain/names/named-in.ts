import { type Mention, type Wanted, mentionsIn } from './mentions.ts'
import { isTurnedAway } from './stance.ts'

/** Something that a text names and does not speak against. */
export interface Named {
  readonly id: string
  /** As the text spells it. */
  readonly spelled: string
  /** Everything else that the same place names: RabbitMQ is also a message queue. */
  readonly with: readonly string[]
}

// A text that names and denies things more often than this is no proposal.
const MOST_JUDGED = 500

/** What of the wanted things a text brings up, in its order; nothing that it only names to keep it out. */
export function namedIn(text: string, wanted: Wanted): Named[] {
  const named = new Map<string, Named>()
  let judged = 0
  for (const mention of mentionsIn(text, wanted)) {
    const ids = mention.ids.filter((id) => !named.has(id))
    if (
      ids.length === 0 ||
      isIdentifier(text, mention) ||
      judged++ >= MOST_JUDGED ||
      isTurnedAway(text, mention.start, mention.end)
    )
      continue
    for (const id of ids)
      if (!(isWord(id) || mention.isOrdinary) || isTakenUp(text, mention))
        named.set(id, { id, spelled: mention.spelled, with: mention.ids })
  }
  return [...named.values()]
}

/** `celery_tasks` is what somebody called a table; `REDIS_URL` says where Redis is. */
const isIdentifier = (text: string, { end, spelled }: Mention): boolean =>
  text[end] === '_' && spelled === spelled.toLowerCase()

/** An id of an ordinary word, which says little alone. */
export const isWord = (id: string): boolean => id.startsWith('~')

const TAKES_UP =
  /\b(?:us(?:e|es|ing)|adopt\w*|add(?:s|ing)?|introduc\w+|via|with|by|through|to|switch\w*|mov\w+|go(?:ing)? (?:with|for|back to)|based on|on|implement\w*|choos\w+|pick\w*|rel(?:y|ies|ying) on|employ\w*|want|need|try|prefer\w*|deploy\w*|install\w*|let's|in favou?r of|bring\w*(?: back)?|build\w*|rewrite \w+ in|port\w*|in|about|consider\w*)(?: (?:a|an|the|our|some|plain|simple|short|long|own|new|client|server|side|more|it|them|everything|all|back))*\s*$/i

/** Whether an ordinary word stands where something is taken up: after "use", "switch to", "via", or first. */
function isTakenUp(text: string, { start, end }: Mention): boolean {
  const before = text.slice(Math.max(0, start - 60), start)
  const sentence = before.split(/[.!?;:]\s|\n/).at(-1)!
  const isFirst = start === 0 || (start <= 60 && sentence.trim() === '')
  const after = text.slice(end, end + 20)
  return (
    TAKES_UP.test(sentence) ||
    (isFirst && /^(?:\s(?:for|as|in|with|every|on|instead|would|could|to)\b|\s*$|[,.?!])/.test(after))
  )
}
