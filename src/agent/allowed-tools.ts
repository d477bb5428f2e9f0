import type { ChatPart } from '../core/chat/part.ts'
import type { AnalystTool } from './tool.ts'

/** What a yes for the whole chat holds for: a tool that became another is asked about anew. */
export const allowedKey = ({ name, mark }: Pick<AnalystTool, 'name' | 'mark'>): string => `${name}\n${mark ?? ''}`

/** The tools of others that a person allowed for this chat. */
export function allowedIn(parts: readonly ChatPart[]): Set<string> {
  const asked = new Map(parts.flatMap((part) => (part.kind === 'approval' ? [[part.call, part] as const] : [])))
  return new Set(
    parts.flatMap((part) => {
      const about = part.kind === 'approved' && part.answer === 'chat' ? asked.get(part.call) : undefined
      return about === undefined ? [] : [allowedKey({ name: about.tool, ...(about.mark && { mark: about.mark }) })]
    }),
  )
}
