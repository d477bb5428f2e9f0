import { type Mention, type Wanted, mentionsIn } from './mentions.ts'
import { isRejected } from './stance.ts'

/** Something that a text names without arguing against it. */
export interface Named {
  readonly id: string
  /** As spelled in the text. */
  readonly spelled: string
  /** Ids of everything else named at the same place: RabbitMQ is also a message queue. */
  readonly with: readonly string[]
}

// A text that names and denies things more often than this is not a proposal.
const MOST_JUDGED = 500

/** The wanted things that a text proposes, in text order, without things that it names only to reject. */
export function namedIn(text: string, wanted: Wanted): Named[] {
  const named = new Map<string, Named>()
  let judged = 0
  for (const mention of mentionsIn(text, wanted)) {
    const ids = mention.ids.filter((id) => !named.has(id))
    if (
      ids.length === 0 ||
      isIdentifier(text, mention) ||
      judged++ >= MOST_JUDGED ||
      isRejected(text, mention.start, mention.end)
    )
      continue
    for (const id of ids)
      if (!(isWord(id) || mention.isOrdinary) || isTakenUp(text, mention))
        named.set(id, { id, spelled: mention.spelled, with: mention.ids })
  }
  return [...named.values()]
}

/** True for `celery_tasks`, a table name that someone chose; `REDIS_URL` does mean Redis. */
const isIdentifier = (text: string, { end, spelled }: Mention): boolean =>
  text[end] === '_' && spelled === spelled.toLowerCase()

/** Id of an ordinary word, which on its own is weak evidence. */
export const isWord = (id: string): boolean => id.startsWith('~')

const TAKES_UP =
  /\b(?:us(?:e|es|ing)|adopt\w*|add(?:s|ing)?|introduc\w+|via|with|by|through|to|switch\w*|mov\w+|go(?:ing)? (?:with|for|back to)|based on|on|implement\w*|choos\w+|pick\w*|rel(?:y|ies|ying) on|employ\w*|want|need|try|prefer\w*|deploy\w*|install\w*|let's|in favou?r of|bring\w*(?: back)?|build\w*|rewrite \w+ in|port\w*|in|about|consider\w*)(?: (?:a|an|the|our|some|plain|simple|short|long|own|new|client|server|side|more|it|them|everything|all|back))*\s*$/i

/** Whether an ordinary word is in an adopting position: after "use", "switch to", "via", or first. */
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
