import { AppError } from '../../kernel/domain/errors.ts'
import type { ChannelButton, ChannelPlace } from '../../team/domain/channel/channel-post.ts'
import { channelNamed, contextOfUser, NOT_LET_IN, run, type ChannelDesk } from './channel-desk.ts'

/** A button below an answer, or the reason entered in its form. */
export interface Pressed {
  readonly place: ChannelPlace
  readonly user: string
  readonly button: ChannelButton
  readonly about: string
  readonly reason: string
}

/** Performs a button's action on behalf of the person who pressed it. Idempotent. */
export async function pressButton(desk: ChannelDesk, project: string, pressed: Pressed): Promise<void> {
  const channel = channelNamed(desk, project)
  const tell = (words: string): Promise<void> => channel.whisper(pressed.place, pressed.user, words)
  const known = await contextOfUser(desk, project, pressed)
  if (known === undefined) return tell(NOT_LET_IN)
  const ask = await desk.asks.find(project, pressed.about)
  // The chat belongs to its asker, as in the web app.
  if (ask === undefined || ask.person !== known.person) return tell('Only whoever asked can do that here.')
  if (ask.chat === undefined || ask.answer === undefined) return tell('There is no answer yet. Try again in a moment.')
  try {
    if (pressed.button === 'stop') {
      await desk.asks.note(project, ask.id, { isStopped: true })
      await run(desk, known.ctx, 'chat_stop', { chat: ask.chat })
    } else {
      const { button: vote, reason } = pressed
      await run(desk, known.ctx, 'feedback', { vote, message: ask.answer, ...(reason !== '' && { reason }) })
      await tell('Noted. Thank you.')
    }
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.code === 'unavailable') throw thrown
    await tell(thrown.line)
  }
}
