import { BEDROCK } from './bedrock.ts'
import { CHAT } from './chat.ts'
import { GEMINI } from './gemini.ts'
import { MESSAGES } from './messages.ts'
import type { Protocol } from './protocol.ts'
import { RESPONSES } from './responses.ts'

export function protocolOf(path: string): Protocol | undefined {
  if (path.endsWith('/chat/completions')) return CHAT
  if (path.endsWith('/responses')) return RESPONSES
  if (path.endsWith('/messages')) return MESSAGES
  if (/\/converse(?:-stream)?$/.test(path)) return BEDROCK
  return /:(?:stream)?generateContent$/i.test(path) ? GEMINI : undefined
}
