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
