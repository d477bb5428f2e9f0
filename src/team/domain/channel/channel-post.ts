/** A message from the analyst, before conversion to the channel's markup. */
export interface ChannelPost {
  readonly markdown: string
  /** Lines below the message, in small print: the sources of its numbers. */
  readonly foot: readonly string[]
  /** Link to the full text. */
  readonly open?: string
  readonly buttons: readonly ChannelButton[]
  /** Id of the subject, which the buttons send back. */
  readonly about: string
}

export type ChannelButton = 'stop' | 'up' | 'down'

/** A place in a channel: the thread that begins with a message. */
export interface ChannelPlace {
  readonly team: string
  readonly channel: string
  readonly thread: string
}

export interface ChannelFile {
  readonly name: string
  readonly title: string
  readonly bytes: Uint8Array
}

/** A message from a channel, after its sender was verified. */
export type ChannelNews =
  /** The channel checks for a listener, and expects `answer` back. */
  | { readonly kind: 'challenge'; readonly answer: string }
  | ({ readonly kind: 'ask' } & ChannelAsk)
  | ({ readonly kind: 'press' } & ChannelPress)
  | {
      readonly kind: 'reason'
      readonly place: ChannelPlace
      readonly user: string
      readonly about: string
      readonly reason: string
    }
  /** A message that contains nothing for the analyst to answer. */
  | { readonly kind: 'nothing' }

/** A user's message, with the user's id in the channel. */
export interface ChannelAsk extends ChannelPlace {
  /** Id of the message, the same for every delivery. */
  readonly id: string
  readonly user: string
  readonly words: string
  /** True if the message mentions the analyst; otherwise it is a reply in a thread. */
  readonly isMention: boolean
  /** True if the message is in an existing thread. */
  readonly isReply: boolean
}

/** A pressed button. */
interface ChannelPress {
  readonly place: ChannelPlace
  readonly user: string
  readonly button: ChannelButton
  readonly about: string
  /** Allows opening a form, for a few seconds. */
  readonly trigger: string
}
