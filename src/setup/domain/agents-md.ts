import { enveloped } from '../../kernel/domain/trust/envelope.ts'
import type { AnswerTrust } from '../../kernel/domain/trust/trust.ts'
import { visibleLine } from '../../kernel/domain/trust/visible.ts'
import type { Edit, FileChange } from './file-change.ts'
import { findBlock, lineOutsideFences, removeBlock, writeBlock } from './managed-block.ts'

const OWNER = 'ken'
const MANUAL = '\n# Manual\n\n<!-- Your own instructions for agents go here; Ken leaves this part as it is. -->\n'

/** AGENTS.md with Ken's block; a file that Ken creates also gets a section for the user. */
export function agentsMdChange(folder: string, body: string): FileChange {
  return {
    path: `${folder}/AGENTS.md`,
    within: folder,
    owner: OWNER,
    add: (text): Edit => ({ text: text === undefined ? `${writeBlock('', body)}${MANUAL}` : writeBlock(text, body) }),
    remove(text, before): Edit {
      if (findBlock(text) === undefined) return { text }
      const rest = removeBlock(text, before)
      return { text: before === undefined && (rest.trim() === '' || rest.trim() === MANUAL.trim()) ? undefined : rest }
    },
  }
}

/**
 * A file that only Claude Code reads and that imports AGENTS.md. Not CLAUDE.md in the root: Copilot CLI reads that one
 * too, follows the import, and gets the block twice.
 */
export function claudeBridgeChange(folder: string): FileChange {
  return {
    path: `${folder}/.claude/CLAUDE.md`,
    within: folder,
    owner: OWNER,
    add(text): Edit {
      const state = bridgeState(text)
      if (state === 'foreign')
        return {
          text,
          kept: 'it is yours and does not import AGENTS.md; add a line `@../AGENTS.md` so that Claude Code reads it',
        }
      return { text: state === 'absent' ? BRIDGE : text }
    },
    remove: (text): Edit => ({ text: removeBridge(text) }),
  }
}

/** The bridge that earlier versions wrote to the root folder. Never written now, only removed. */
export function formerBridgeChange(folder: string): FileChange {
  return {
    path: `${folder}/CLAUDE.md`,
    within: folder,
    owner: OWNER,
    add: (text): Edit => ({ text }),
    remove: (text): Edit => ({ text: removeBridge(text) }),
  }
}

/**
 * Instructions for every agent on using the record. `context`, the L0 text, is for a file that git does not track: a
 * committed copy would show outdated state to the next reader.
 */
export function agentsMdBody(project: { name: string; id: string }, context: Page | undefined): string {
  return `
# Project memory: ${visibleLine(project.name)}

The decisions of this project, with their reasons and what was turned down, are kept in Ken (project \`${project.id}\`), beside
what was said and done in earlier sessions. Use the tools of the MCP server \`ken\`; where it is not connected, run the commands in brackets in a shell.

- **At the start** of a session: \`get_context\` (\`ken context\`), unless its answer is already before you.
- **Looking back** at what was said, tried, fixed or set up before: \`memory_query\` (\`ken query "…"\`), then \`memory_get\` on
  strong hits. Do it before you ask the user or start from nothing.
- **Before choosing** an approach, library, format or interface: \`check_decision\` (\`ken check "…"\`), then \`get_decision\` on each
  hit. If your plan goes against an active decision, stop and ask; do not work around it.
- **After a choice** was made with the user: \`propose_decision\` (\`ken propose\`) with the reason and every alternative that was
  turned down. A choice that replaces an old one supersedes it.
- **Worth keeping** and no decision, such as how something is run or what the user prefers: \`memory_write\` (\`ken note "…"\`).
- **Undecided** and for a person to settle: \`flag_question\`. **Finished** a piece of work: \`update_state\` with
  \`add\` (\`ken state "…"\`).
- What is marked \`proposed by an agent\` was accepted by no person yet. Never edit the record's files by hand.
${hasText(context) ? `\n${COPY}\n\n${enveloped(demoted(context.text), { origin: 'record', trust: context.trust })}\n` : ''}`
}

const COPY = '## Where the project stands'

type Page = { readonly text: string; readonly trust: AnswerTrust }

const hasText = (context: Page | undefined): context is Page => context !== undefined && context.text.trim() !== ''

/** Whether the block in a text contains the project's state at the time of writing. */
export function carriesCopy(text: string): boolean {
  const block = findBlock(text)
  return block !== undefined && text.slice(block.start, block.end).includes(`\n${COPY}`)
}

/** Moves headings of the copied text to levels below ours. */
const demoted = (text: string): string => text.replaceAll(/^(#{1,4}) /gm, '#$1 ')

/**
 * State of a CLAUDE.md. `owned`: contains Ken's bridge; `bridged`: written by the user and imports AGENTS.md;
 * `foreign`: written by the user and does not.
 */
type BridgeState = 'absent' | 'owned' | 'bridged' | 'foreign'

const MARK = '<!-- ken:bridge: Claude Code reads AGENTS.md through this line -->'
export const BRIDGE = `${MARK}\n@../AGENTS.md\n`

const OWNED = new RegExp(`^${MARK}\\r?\\n@(?:\\.\\./)?AGENTS\\.md[ \\t]*(?:\\r?\\n|$)`, 'm')
const IMPORT = /(?:^|\s)@(?:\.{1,2}\/)?AGENTS\.md(?=$|[\s),.;:])/

// Limits quadratic time: a row of backticks is scanned once for each of them.
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

/** Removes the bridge and nothing else; undefined if the file contained only the bridge. */
function removeBridge(text: string): string | undefined {
  const rest = text.replace(OWNED, '')
  return rest === '' ? undefined : rest
}
