/** A message of the analyst, before conversion to the channel's markup. */
export interface ChannelPost {
  readonly markdown: string
  /** Lines below it, in small print: the sources of its numbers. */
  readonly foot: readonly string[]
  /** Link to the full text. */
  readonly open?: string
  readonly buttons: readonly ChannelButton[]
  /** The subject of the buttons, which they send back. */
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
