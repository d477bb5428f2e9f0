import type { ChatPart } from './domain/chat/part.ts'
import type { AnalystTool } from './tool.ts'

/** What a yes for the whole chat holds for: a tool that became another is asked about anew. */
export const allowedKey = ({ name, mark }: Pick<AnalystTool, 'name' | 'mark'>): string => `${name}\n${mark ?? ''}`

/** The tools of others that a person allowed for this chat. */
export function allowedIn(parts: readonly ChatPart[]): Set<string> {
  // The ids of calls are the model's, which may use one again in a later turn: a yes is about what was asked before it.
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
