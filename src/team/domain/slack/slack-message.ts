import { ellipsis } from '../../../kernel/domain/text.ts'
import { closeFence } from '../../../kernel/domain/text/markdown-fences.ts'
import { visible } from '../../../kernel/domain/trust/visible.ts'
import type { ChannelButton, ChannelPost } from '../channel/channel-post.ts'
import { escaped, linkTo, toMrkdwn } from './mrkdwn.ts'

export interface SlackMessage {
  /** For notifications and screen readers. */
  readonly text: string
  readonly blocks: readonly object[]
}

// Slack accepts 3,000 characters per block, but only about 13,000 per message.
const LONGEST_BLOCK = 2_900
const LONGEST = 9_000
const [LONGEST_FOOT, LONGEST_FEET] = [600, 2_500]
const LONGEST_TEXT = 300
// The address configured by the server's operator.
const OWN = /^https?:\/\/\S+$/

/** A post for Slack: blocks of verbatim text, cut if it is too long. */
export function slackMessage({ markdown, foot, open, buttons, about }: ChannelPost): SlackMessage {
  const { pieces, isCut } = cutInto(toMrkdwn(visible(markdown).trim() || '…'))
  const more = open === undefined ? [] : [linkTo(open, isCut ? 'Cut here: open all of it in Ken' : 'Open in Ken', OWN)]
  const small = [...feetOf(foot), ...more]
  return {
    text: escaped(ellipsis(visible(markdown).trim() || '…', LONGEST_TEXT)),
    blocks: [
      ...pieces.map((text) => ({ type: 'section', text: mrkdwn(text) })),
      ...(small.length === 0 ? [] : [{ type: 'context', elements: small.map(mrkdwn) }]),
      ...(buttons.length === 0
        ? []
        : [{ type: 'actions', block_id: 'ken', elements: buttons.map((one) => button(one, about)) }]),
    ],
  }
}

/** The foot lines, as many as fit. */
function feetOf(foot: readonly string[]): readonly string[] {
  let room = LONGEST_FEET
  return foot
    .map((line) => toMrkdwn(closeFence(ellipsis(visible(line), LONGEST_FOOT))))
    .filter((line) => (room -= line.length) >= 0 && line !== '')
    .slice(0, MOST_ELEMENTS - 1)
}

const MOST_ELEMENTS = 10

/** The form that asks why an answer was bad. `about` is returned with it. */
export const reasonForm = (about: string): object => ({
  type: 'modal',
  callback_id: 'ken_reason',
  private_metadata: about,
  title: plain('What was wrong?'),
  submit: plain('Send'),
  close: plain('Cancel'),
  blocks: [
    {
      type: 'input',
      block_id: 'reason',
      optional: true,
      label: plain('What is wrong, or what holds instead'),
      element: { type: 'plain_text_input', action_id: 'text', multiline: true, max_length: 3_000 },
    },
  ],
})

// Verbatim: otherwise Slack turns plain words into mentions and links.
const mrkdwn = (text: string): object => ({ type: 'mrkdwn', text, verbatim: true })
const plain = (text: string): object => ({ type: 'plain_text', text, emoji: true })

const LABELS: Readonly<Record<ChannelButton, string>> = { stop: 'Stop', up: '👍', down: '👎' }
const button = (which: ChannelButton, about: string): object => ({
  type: 'button',
  action_id: `ken_${which}`,
  text: plain(LABELS[which]),
  value: about,
})

/** Pieces that end with a line, none of them inside an open code block. */
function cutInto(text: string): { readonly pieces: readonly string[]; readonly isCut: boolean } {
  const pieces: string[] = []
  let [piece, isCode, total] = ['', false, 0]
  const close = (): void => {
    const whole = isCode ? `${piece}\n\`\`\`` : piece
    if (whole.trim() !== '') pieces.push(whole)
    piece = isCode ? '```' : ''
  }
  for (const line of text.split('\n').flatMap(shortLines)) {
    if (total + line.length > LONGEST) {
      close()
      return { pieces, isCut: true }
    }
    total += line.length + 1
    if (piece.length + line.length + 1 > LONGEST_BLOCK - 4) close()
    piece = piece === '' ? line : `${piece}\n${line}`
    if (line === '```') isCode = !isCode
  }
  close()
  return { pieces, isCut: false }
}

/** Splits a line that is longer than a block; never inside a link or an escaped character. */
function shortLines(line: string): readonly string[] {
  if (line.length <= LONGEST_BLOCK - 10) return [line]
  const parts = line.match(/(?:<[^>]*>|&[a-z]+;|[^<&]){1,1000}/gsu)
  return (parts ?? [line]).map((part) => part.slice(0, LONGEST_BLOCK - 10))
}
