import { head } from '../../../kernel/domain/text.ts'
import { LEFT_OUT } from '../../../kernel/domain/text/left-out.ts'
import { isOffRecord } from './off-record.ts'
import { ownWords } from './own-words.ts'

const MOST_MESSAGES = 17
const LONGEST = 1_250
const LONGEST_LAST = 2_000
const SHORTEST_LAST = 3
/** Of one message no more than this is looked at, from both ends: what is longer was pasted. */
const LONGEST_READ = 200_000

export interface UserMessage {
  readonly id: string
  readonly text: string
}

/**
 * What may be learned from: the user's own words in their last messages, the oldest first, each cut in the middle.
 * Undefined where the last one says nothing, or asks that nothing of it is kept.
 */
export function userMessages(messages: readonly UserMessage[]): readonly UserMessage[] | undefined {
  const last = messages.at(-1)
  if (last === undefined || last.text.trim().length < SHORTEST_LAST) return undefined
  const own = messages.slice(-MOST_MESSAGES).map((message) => ({
    id: message.id,
    text: cutMiddle(ownWords(bounded(message.text)), message === last ? LONGEST_LAST : LONGEST),
  }))
  const kept = (text: string): boolean => says(text) && !isOffRecord(text)
  return kept(own.at(-1)!.text) ? own.filter(({ text }) => kept(text)) : undefined
}

const says = (text: string): boolean => text.replaceAll(LEFT_OUT, '').trim().length >= SHORTEST_LAST

/** A fence that began in what is cut out would open in the rest: only the beginning of such a text is read. */
const bounded = (text: string): string => (text.length <= LONGEST_READ ? text : head(text, LONGEST_READ))

/** Both ends of a text, whole words, with a mark between that no evidence reaches across. */
function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const mark = `\n${LEFT_OUT}\n`
  const half = Math.floor((longest - mark.length) / 2)
  const start = text.slice(0, half).replace(/\S*$/, '')
  const end = text.slice(-half).replace(/^\S*/, '')
  return `${start.trimEnd()}${mark}${end.trimStart()}`
}
