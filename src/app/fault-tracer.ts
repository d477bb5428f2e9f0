import { faultTrace } from '../kernel/domain/fault-trace.ts'
import { writeText } from '../surfaces/cli/write-text.ts'
import type { Environment } from './settings.ts'

/** With KEN_DEBUG=1 prints every failure with its stack to standard error; undefined otherwise. */
export function faultTracer(environment: Environment): ((thrown: unknown) => void) | undefined {
  if (/^(?:0|false|no|off|)$/i.test((environment['KEN_DEBUG'] ?? '').trim())) return undefined
  return (thrown) => writeText(process.stderr, faultTrace(thrown))
}
