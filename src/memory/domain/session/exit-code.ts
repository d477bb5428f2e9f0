/**
 * The exit code that a client wrote below the output of a shell command; undefined if there is none. Only the last
 * lines count: the output itself may mention exit codes.
 */
export function exitCodeOf(result: string): number | undefined {
  const lines = result.slice(-LONGEST_END).trimEnd().split('\n')
  for (const line of lines.reverse()) {
    const code = EXIT.exec(line)
      ?.slice(1)
      .find((digits) => digits !== undefined)
    if (code !== undefined) return Number(code)
    if (/^Signal: (?!0$|\(none\)$)/.test(line)) return KILLED
    if (!AFTER_EXIT.test(line)) return undefined
  }
  return undefined
}

const LONGEST_END = 2000
/** A shell's exit code for a command ended by any signal. */
const KILLED = 128
// Formats of Gemini CLI and Qwen Code, of Copilot CLI, and of pi.
const EXIT =
  /^(?:Exit Code: (-?\d+)|<shellId: \S+ completed with exit code (-?\d+)>|Command exited with code (-?\d+))\s*$/
const AFTER_EXIT = /^(?:Signal|Background PIDs|Process Group PGID): |^<\/\w+>$|^\s*$/
