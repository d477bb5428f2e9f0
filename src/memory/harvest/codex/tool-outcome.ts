import { asObject, asObjects, asText, type JsonObject, parseObject } from '../../../kernel/system/json-value.ts'

/** Whether the output of a tool call reports success. Codex has no flag for it; exit codes are in the text. */
export function isSuccess(output: unknown): boolean {
  const object = asObject(output)
  if (object) return object.success !== false && exitCode(object) === 0
  const text = outputText(output)
  const written = parseObject(text)
  if (written) return exitCode(written) === 0
  // The command's output follows "Output:" and may itself mention exit codes.
  const [report = ''] = text.split(/^Output:/m, 1)
  const [, code] = /(?:exited with code|^Exit code:|"exit_code":)\s*(-?\d+)/m.exec(report) ?? []
  return code === undefined || Number(code) === 0
}

/** Text of an output, which is a string or a list of parts. */
export const outputText = (output: unknown): string =>
  asText(output) ??
  asObjects(output)
    .map((item) => asText(item.text) ?? '')
    .join('\n')

/** Undefined until the item is finished. */
export function itemOutcome(item: JsonObject): boolean | undefined {
  if (item.status === 'in_progress') return undefined
  if (item.status === 'failed' || item.status === 'declined') return false
  const result = asObject(item.result)
  return (item.exit_code ?? 0) === 0 && result?.is_error !== true && result?.isError !== true
}

function exitCode(output: JsonObject): unknown {
  return output.exit_code ?? asObject(output.metadata)?.exit_code ?? 0
}
