import { head } from '../../../kernel/domain/text.ts'
import { LEFT_OUT } from '../../../kernel/domain/text/sentences.ts'
import { isOffRecord } from './off-record.ts'
import { ownWords } from './own-words.ts'

const MOST_MESSAGES = 17
const LONGEST = 1_250
const LONGEST_LAST = 2_000
const SHORTEST_LAST = 3
/** Maximum number of characters read of one message: longer text was pasted. */
const LONGEST_READ = 200_000

export interface UserMessage {
  readonly id: string
  readonly text: string
}

/**
 * Messages to learn from: the user's own words in their last messages, oldest first, each cut in the middle. Undefined
 * if the last one is empty, or asks not to be remembered.
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

/**
 * Reads only the beginning of a long text: after a cut in the middle, a code fence that began in the removed part would
 * be missing.
 */
const bounded = (text: string): string => (text.length <= LONGEST_READ ? text : head(text, LONGEST_READ))

/** Keeps both ends of a text, in whole words, with a mark between them that no evidence spans. */
function cutMiddle(text: string, longest: number): string {
  if (text.length <= longest) return text
  const mark = `\n${LEFT_OUT}\n`
  const half = Math.floor((longest - mark.length) / 2)
  const start = text.slice(0, half).replace(/\S*$/, '')
  const end = text.slice(-half).replace(/^\S*/, '')
  return `${start.trimEnd()}${mark}${end.trimStart()}`
}
