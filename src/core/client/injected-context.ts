/** What Ken puts into an agent's context carries this tag, so that a harvest knows its own words when they come back in a log. */
export const INJECTED_TAG = 'ken-context'

export function injectedContext(body: string, about: { project: string; when: 'session-start' | 'prompt' }): string {
  const inside = body.trim().replaceAll(new RegExp(`<(/?)${INJECTED_TAG}`, 'gi'), `‹$1${INJECTED_TAG}`)
  return `<${INJECTED_TAG} source="record" project="${attribute(about.project)}" when="${about.when}">\n${inside}\n</${INJECTED_TAG}>`
}

const attribute = (text: string): string => text.replaceAll(/["<>&\p{Cc}]/gu, ' ').trim()
