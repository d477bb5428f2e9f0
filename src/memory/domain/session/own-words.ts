import { withoutTagged } from './injected.ts'
import { withoutRelayed } from './read-offer.ts'

const LONGEST_READ = 6_000

/** Text that a client writes in the user's role, and tasks about a text that follows. */
const NOT_OF_THE_USER =
  /^\s*(?:\[Request interrupted|Base directory for this skill|# AGENTS\.md instructions|This session is being continued|Caveat: The messages below|\w+ hook feedback|The user doesn't want|\{\s*")/i
const ABOUT_A_TEXT =
  /^\s*(?:(?:please|can you|could you|bitte)\s+)*(?:translate|summari[sz]e|rephrase|reword|proofread|rewrite (?:this|the following)|turn (?:this|these|the following) into|(?:convert|format|explain|review|correct) (?:this|these|the following)\b|übersetze|fasse|traduis|résume|traduce|resume (?:este|esto))/i
/** Everything below is a diff, a mail, a file or the record of a conversation. */
const PASTED_BELOW =
  /^(?:diff --git |@@ |(?:From|To|Subject|Sent|Date): |-{2,} ?\S.*-{2,}\s*$|(?:User|Human|Assistant|System|AI|Agent): )/m
const LOG_LINE =
  /^(?:\+|-(?! ))|^\s*(?:npm )?(?:WARN(?:ING)?|ERROR|ERR!|INFO|DEBUG|FATAL)\b|^\s*\d{4}-\d\d-\d\d[T ]|^\s*at \S+ ?\(/
/** `[10:02] anna: …` and `anna  10:02 AM`. */
const TIMED_LINE =
  /^\s*(?:\[?\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?\]?\s+\S.{0,40}:\s|\S.{0,40}\s\[?\d{1,2}:\d\d(?: ?[AP]M)?\]?\s*$)/i
const SPEAKER = /^\s*(\p{L}[\p{L}\p{N}_.-]{1,20}):\s\S/u

/**
 * The user's own words, without code, quotations, and anything pasted or written by a client, which are words of
 * others.
 */
export function ownWords(text: string): string {
  const said = text.slice(0, LONGEST_READ)
  if (NOT_OF_THE_USER.test(said) || ABOUT_A_TEXT.test(said)) return ''
  const own = withoutTagged(said, '[a-z][a-z0-9_-]{2,40}')
    // A client's tag that was cut off.
    .replace(/<[a-z][a-z0-9]*[_-][a-z0-9_-]{1,40}[\s>][\s\S]*$/, ' ')
    .replace(/```[\s\S]*?(?:```|$)/g, ' ')
    .replace(/^[ \t]*>.*$/gm, ' ')
    // A line that ends in a colon announces the text pasted below it.
    .replace(/:[ \t]*\n[\s\S]*$/, ' ')
    .replace(/["“„«](?=[^"“”„«»]*\s)[^"“”„«»]{12,}["”“»]/g, ' ')
    .replace(/(?<=^|[\s(:,])['‘](?=\S)[^\n]{12,300}?['’](?=[\s.,;:!?)]|$)/gm, ' ')
  const below = PASTED_BELOW.exec(own)
  return withoutRelayed(withoutLines(below === null ? own : own.slice(0, below.index))).trim()
}

/**
 * Without lines of logs and diffs, and without pasted conversations: two lines with a time, or a speaker who speaks
 * twice.
 */
function withoutLines(text: string): string {
  const lines = text.split('\n').filter((line) => !LOG_LINE.test(line))
  const speakers = lines.map((line) => SPEAKER.exec(line)?.[1]?.toLowerCase() ?? '')
  const times = new Map<string, number>()
  for (const one of speakers) times.set(one, (times.get(one) ?? 0) + 1)
  const isSpoken = lines.map((line, i) => TIMED_LINE.test(line) || (speakers[i] !== '' && times.get(speakers[i]!)! > 1))
  const from = isSpoken.indexOf(true)
  return (isSpoken.filter(Boolean).length > 1 ? lines.slice(0, from) : lines).join('\n')
}
