import { stem } from '../text/stem.ts'

/** A word that marks, in the index, the chunks of a session in which only the assistant speaks. Nobody writes it. */
export const REPLY_MARK = 'assistantonly'
export const REPLY_TERM = stem(REPLY_MARK)

/**
 * What such a chunk counts when people ask about themselves: what they said answers that before what they were told.
 * Chosen on BEAM's chats, of .6 to 1, and not the one that gained most, .7: the answer may be a reply.
 */
export const REPLY_WORTH = 0.8

/** "Which libraries did I want?", "my first sprint"; not "I/O", and not "we", which speaks of the work. */
export const asksAboutOneself = (text: string): boolean => /(?<![\w/-])(?:i|me|my|mine|myself)(?![\w/-])/i.test(text)
