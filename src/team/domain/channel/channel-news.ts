import type { ChannelButton, ChannelPlace } from './channel-post.ts'

/** What a channel told of, once it is known that the channel itself sent it. */
export type ChannelNews =
  /** The channel asks whether somebody listens, and wants this back. */
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
  /** Nothing that the analyst answers. */
  | { readonly kind: 'nothing' }

/** A message of somebody, as the channel knows them. */
export interface ChannelAsk extends ChannelPlace {
  /** The message itself, the same however often it is told of. */
  readonly id: string
  readonly user: string
  readonly words: string
  /** It names the analyst; otherwise it is a reply in a thread. */
  readonly isMention: boolean
  /** It stands in a thread that was there before. */
  readonly isReply: boolean
}

/** A button that somebody pressed. */
export interface ChannelPress {
  readonly place: ChannelPlace
  readonly user: string
  readonly button: ChannelButton
  readonly about: string
  /** Lets a form be opened, for a few seconds. */
  readonly trigger: string
}
