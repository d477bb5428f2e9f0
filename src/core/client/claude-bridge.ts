import { lineOutsideFences } from './managed-block.ts'

/**
 * What a CLAUDE.md is to Ken. `owned`: it carries Ken's bridge; `bridged`: somebody else's that imports AGENTS.md;
 * `foreign`: somebody else's that does not.
 */
export type BridgeState = 'absent' | 'owned' | 'bridged' | 'foreign'

const MARK = '<!-- ken:bridge: Claude Code reads AGENTS.md through this line -->'
export const BRIDGE = `${MARK}\n@AGENTS.md\n`

const OWNED = new RegExp(`^${MARK}\\r?\\n@AGENTS\\.md[ \\t]*(?:\\r?\\n|$)`, 'm')
const IMPORT = /(?:^|\s)@(?:\.\/)?AGENTS\.md(?=$|[\s),.;:])/

// A row of backticks is looked through once for each of them.
const LONGEST_LINE = 2_000

export function bridgeState(text: string | undefined): BridgeState {
  if (text === undefined) return 'absent'
  if (OWNED.test(text)) return 'owned'
  return lineOutsideFences(
    text,
    (line) => line.length <= LONGEST_LINE && IMPORT.test(line.replaceAll(/(`+)[^]*?\1/g, '')),
  ) === undefined
    ? 'foreign'
    : 'bridged'
}

/** Takes the bridge out and nothing else; undefined when the file held only that. */
export function removeBridge(text: string): string | undefined {
  const rest = text.replace(OWNED, '')
  return rest === '' ? undefined : rest
}
