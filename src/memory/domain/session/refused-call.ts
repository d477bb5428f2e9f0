// Sentences from Claude Code, OpenCode, Copilot CLI, Gemini CLI and Qwen Code, and Codex.
const REFUSED =
  /^\s*(?:Error:\s*)?(?:The user (?:doesn't want to (?:proceed with this tool use|take this action)|(?:has )?rejected (?:permission|this tool call))|\[Operation Cancelled\] Reason: User did not allow tool call|(?:exec command |patch )?rejected by user)/i

/** Whether the result of a failed call shows that the user refused it, so that it never ran. */
export const isRefusal = (result: string): boolean => REFUSED.test(result.slice(0, 400))
