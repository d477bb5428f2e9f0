import { ellipsis } from '../../../kernel/domain/text.ts'
import { inertMarkdown } from '../../../kernel/domain/text/inert-markdown.ts'
import { visible } from '../../../kernel/domain/trust/visible.ts'
import type { ChannelButton, ChannelPost } from '../channel/channel-post.ts'

// Teams accepts some 28 KB per message, and a character may take three bytes and be escaped.
const LONGEST = 6_000
const [LONGEST_FOOT, MOST_FEET] = [300, 8]
const LONGEST_SUMMARY = 200

/** A post for Teams: an Adaptive Card, cut if it is too long. Its text loads nothing and mentions no one. */
export function teamsMessage({ markdown, foot, open, buttons, about }: ChannelPost): object {
  const text = visible(markdown).trim() || '…'
  const isCut = text.length > LONGEST
  const feet = foot.slice(0, MOST_FEET).map((line) => ellipsis(visible(line), LONGEST_FOOT))
  const content = {
    type: 'AdaptiveCard',
    version: '1.4',
    body: [
      block(cardText(ellipsis(text, LONGEST))),
      ...feet.map((line) => ({ ...block(cardText(line)), isSubtle: true, size: 'Small', spacing: 'Small' })),
    ],
    actions: [
      ...(open === undefined
        ? []
        : [{ type: 'Action.OpenUrl', title: isCut ? 'Cut here: open all of it in Ken' : 'Open in Ken', url: open }]),
      ...buttons.map((one) => ({ type: 'Action.Submit', title: LABELS[one], data: { ken: one, about } })),
    ],
  }
  return {
    type: 'message',
    summary: ellipsis(text, LONGEST_SUMMARY),
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  }
}

/** Cards know no code, so a link in code is a link as well. */
const cardText = (markdown: string): string => inertMarkdown(markdown).replaceAll('](', ']\\(')

const block = (text: string) => ({ type: 'TextBlock', text, wrap: true })

const LABELS: Readonly<Record<ChannelButton, string>> = { stop: 'Stop', up: '👍', down: '👎' }
