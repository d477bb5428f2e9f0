import { expect, test } from 'vitest'
import { messageText } from './show-message.ts'

// VS Code's pattern for links in messages.
const LINK = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi

test.each(['D1 [x](command:evil)', 'a [b]\u200b(command:evil)', '[a](https://evil.example "t")', '[[x]](command:y)'])(
  'does not turn %j into a link',
  (text) => expect(messageText(text)).not.toMatch(LINK),
)
