import type { ChannelNews } from '../domain/channel/channel-news.ts'
import type { ChannelFile, ChannelPlace, ChannelPost } from '../domain/channel/channel-post.ts'

/** A request as it came, nothing of it believed. */
export interface SentToHook {
  readonly body: Uint8Array
  header(name: string): string | undefined
}

/** Somebody of the workspace itself, who is no program. */
export interface ChannelUser {
  /** As the channel knows it to be theirs. */
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
 * Where people ask the analyst without opening Ken. Calls wait as long as the channel asks them to, within bounds. They
 * throw `unavailable` where it cannot be reached or has too much to do, and `forbidden` where it refuses; neither holds
 * a secret.
 */
export interface ChatChannel {
  /** Undefined where the channel itself did not send this in the last minutes; nothing is parsed before that is known. */
  read(sent: SentToHook, now: Date): ChannelNews | undefined
  /** Undefined for programs, strangers of other workspaces and those whose address is not proven. */
  user(id: string): Promise<ChannelUser | undefined>
  /** Gives the id of the message. With `mayBeThere` it looks first whether one was posted under this key since then. */
  post(place: ChannelPlace, post: ChannelPost, how: PostedHow): Promise<string>
  /** Puts another text in its place. With `isSoonOld` it is let be where the channel has too much to do. */
  change(place: ChannelPlace, message: string, post: ChannelPost, how?: { readonly isSoonOld: boolean }): Promise<void>
  /** For the eyes of one alone; let be where they cannot be reached there. */
  whisper(place: ChannelPlace, user: string, words: string): Promise<void>
  /**
   * Tells `begin` the id before anybody sees the file; one that was `begun` is looked for in what was said `since`, so
   * that it is never there twice.
   */
  share(place: ChannelPlace, file: ChannelFile, how: SharedHow): Promise<void>
  /** What was said in a thread before a message, the oldest first, at most `most` of it. */
  said(place: ChannelPlace, before: string, most: number): Promise<readonly Said[]>
  /** Opens the form that asks why an answer was bad. */
  askReason(trigger: string, place: ChannelPlace, about: string): Promise<void>
}
