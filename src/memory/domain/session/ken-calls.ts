import type { ToolCall } from './session.ts'

/** Ken's tools that take a question, as clients name them: `mcp__ken__memory_query`, `ken_check_decision`. */
const OWN_TOOL =
  /(?:^|[_./:-])(?:memory_(?:search|vsearch|query)|search_decisions|check_decision)$|(?:^|[_./:-])ken[_./:-]{1,2}(?:brief|ask)$/i
/** The same as a command with its words: `ken query "…"`, also after `cd x &&` or `npx`. */
const OWN_COMMAND =
  /(?<command>(?:^|[;&|]\s*|\bnpx\s+(?:-y\s+)?)(?:ken|kenbase) (?:query|search|vsearch|check|brief|ask))\b(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^;&|"'\n])*(?:["'].*)?/s

/**
 * A call, without its question if it was a call to Ken: a question is not evidence for its answer, and would be found
 * the next time it is asked.
 */
export function withoutQuestion(call: ToolCall): ToolCall {
  if (call.detail === undefined) return call
  if (OWN_TOOL.test(call.name)) return { name: call.name, ok: call.ok }
  const asked = new RegExp(OWN_COMMAND, 'gs')
  return {
    ...call,
    detail: call.detail.replaceAll(asked, (all, command: string) => `${command}${/\s*$/.exec(all)![0]}`).trimEnd(),
  }
}

/**
 * Whether a session file ends with a question that is not answered yet: the user's, which tool calls alone do not
 * answer, or the agent's to Ken.
 */
export function isAsking(markdown: string): boolean {
  if (markdown.lastIndexOf('\n## User\n') > markdown.lastIndexOf('\n## Assistant\n')) return true
  if (/^\n## Assistant\n(?:> .*\n)*\s*$/.test(markdown.slice(markdown.lastIndexOf('\n## Assistant\n')))) return true
  const at = markdown.lastIndexOf('\n> tool ')
  const line = at < 0 ? '' : markdown.slice(at + '\n> tool '.length).split('\n', 1)[0]!
  const [, name = '', detail = ''] = /^(\S+?)(?:: (.*))? \(unanswered\)$/.exec(line) ?? []
  return name !== '' && (OWN_TOOL.test(name) || OWN_COMMAND.test(detail))
}
