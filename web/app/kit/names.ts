/** Name of a coding agent by its id: `claude-code` as `Claude Code`. */
export const clientName = (id: string): string =>
  Object.hasOwn(SPELLED, id)
    ? SPELLED[id]!
    : id.replaceAll(/(^|-)([a-z])/g, (_, dash, letter) => `${dash === '-' ? ' ' : ''}${letter.toUpperCase()}`)

const SPELLED: Readonly<Record<string, string>> = {
  'gemini-cli': 'Gemini CLI',
  opencode: 'OpenCode',
  pi: 'pi',
  'qwen-code': 'Qwen Code',
  vscode: 'VS Code',
}

/** A title without Markdown marks of its source text. */
export const plainTitle = (title: string): string => title.replaceAll(/\*\*|`/g, '')

/** The title of a search hit; the file of a decision begins with its number: `012 — One slot` as `D012 One slot`. */
export const hitTitle = ({ title, origin }: { readonly title: string; readonly origin: string }): string =>
  plainTitle(origin === 'decision' ? title.replace(/^(\d{3,}) — /, 'D$1 ') : title)
