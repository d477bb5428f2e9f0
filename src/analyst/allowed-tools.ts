import type { ChatPart } from './domain/chat/part.ts'
import type { AnalystTool } from './tool.ts'

/** Key of an approval for the whole chat: a tool that has changed needs a new approval. */
export const allowedKey = ({ name, mark }: Pick<AnalystTool, 'name' | 'mark'>): string => `${name}\n${mark ?? ''}`

/** Third-party tools that a person allowed for this chat. */
export function allowedIn(parts: readonly ChatPart[]): Set<string> {
  // Call ids come from the model, which may reuse one in a later turn: an approval applies to the request before it.
  const asked = new Map<string, string>()
  const allowed = new Set<string>()
  for (const part of parts) {
    if (part.kind === 'approval' && !part.own)
      asked.set(part.call, allowedKey({ name: part.tool, ...(part.mark && { mark: part.mark }) }))
    if (part.kind !== 'approved') continue
    const about = asked.get(part.call)
    if (part.answer === 'chat' && about !== undefined) allowed.add(about)
    asked.delete(part.call)
  }
  return allowed
}
