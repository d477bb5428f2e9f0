import type { ChannelFile, ChannelPlace, ChannelPost, ChannelNews } from '../domain/channel/channel-post.ts'

/** A raw request, not verified. */
export interface SentToHook {
  readonly body: Uint8Array
  header(name: string): string | undefined
}

/** A member of the workspace itself, not a program. */
export interface ChannelUser {
  /** As verified by the channel. */
  readonly email: string
}

export interface Said {
  readonly by: string
  readonly words: string
}

export interface PostedHow {
  readonly key: string
  readonly since: string
  readonly mayBeThere: boolean
}

export interface SharedHow {
  readonly since: string
  readonly begun: string | undefined
  begin(id: string): Promise<void>
}

/**
 * A place where people ask the analyst without opening Ken. Calls wait as long as the channel demands, within bounds.
 * They throw `unavailable` if it cannot be reached or is overloaded, and `forbidden` if it refuses; neither error
 * contains a secret.
 */
export interface ChatChannel {
  readonly name: 'slack' | 'teams'
  /** Undefined unless the channel itself sent this in the last minutes; nothing is parsed before that is verified. */
  read(sent: SentToHook, now: Date): Promise<ChannelNews | undefined>
  /** Undefined for programs, members of other workspaces and people with an unverified address. */
  user(id: string, place: ChannelPlace): Promise<ChannelUser | undefined>
  /**
   * Returns the id of the message. With `mayBeThere` it first checks whether one was posted under this key since then.
   */
  post(place: ChannelPlace, post: ChannelPost, how: PostedHow): Promise<string>
  /** Replaces a message. With `isSoonOld`, the replacement is skipped if the channel is overloaded. */
  change(place: ChannelPlace, message: string, post: ChannelPost, how?: { readonly isSoonOld: boolean }): Promise<void>
  /** Visible to one user only; skipped if they cannot be reached there. */
  whisper(place: ChannelPlace, user: string, words: string): Promise<void>
  /**
   * Passes the file's id to `begin` before the file is visible. A file that was `begun` is looked up in the messages
   * `since`, so that it is never shared twice.
   */
  share(place: ChannelPlace, file: ChannelFile, how: SharedHow): Promise<void>
  /** The messages of a thread before a message, oldest first, at most `most` of them. */
  said(place: ChannelPlace, before: string, most: number): Promise<readonly Said[]>
  /** Opens the form that asks why an answer was bad. */
  askReason(trigger: string, place: ChannelPlace, about: string): Promise<void>
}
