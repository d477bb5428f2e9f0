import { INJECTED_TAG } from '../session/injected.ts'

/** Text for an agent's context inside the tag that a harvest drops again; nothing in the text can close it. */
export function injectedContext(body: string, about: { project: string; event: string }): string {
  const inside = body.trim().replaceAll(new RegExp(`<(/?)(?=${INJECTED_TAG})`, 'gi'), '‹$1')
  return `<${INJECTED_TAG} source="record" project="${attribute(about.project)}" event="${about.event}">\n${inside}\n</${INJECTED_TAG}>`
}

const attribute = (text: string): string => text.replaceAll(/["<>&\p{Cc}]/gu, ' ').trim()
