/**
 * Merges two lists of lines, section by section: ours first, then lines that only theirs has. A line occurs once in the
 * whole document, except blank ones; sections (`## `) of the same name become one.
 */
export function mergeUnion(local: string, remote: string): string {
  const [ours, theirs] = [sectionsOf(local), sectionsOf(remote)]
  const seen = new Set<string>()
  const lines: string[] = []
  for (const heading of new Set([...ours.keys(), ...theirs.keys()])) {
    if (heading !== BEFORE_ALL) lines.push(heading)
    for (const line of [...(ours.get(heading) ?? []), ...(theirs.get(heading) ?? [])]) {
      if (line.trim() !== '' && seen.has(line)) continue
      seen.add(line)
      lines.push(line)
    }
  }
  return lines.join('\n') + (local.endsWith('\n') || remote.endsWith('\n') ? '\n' : '')
}

const BEFORE_ALL = ''

function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>([[BEFORE_ALL, []]])
  let current = sections.get(BEFORE_ALL)!
  for (const line of (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')) {
    if (!line.startsWith('## ')) {
      current.push(line)
      continue
    }
    current = sections.get(line) ?? []
    sections.set(line, current)
  }
  return sections
}
