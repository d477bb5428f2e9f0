/** What the analyst says in a channel, before it is put into the channel's own markup. */
export interface ChannelPost {
  readonly markdown: string
  /** Lines below it, in small letters: where numbers come from. */
  readonly foot: readonly string[]
  /** Where all of it stands. */
  readonly open?: string
  readonly buttons: readonly ChannelButton[]
  /** What the buttons are about; they give it back. */
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
