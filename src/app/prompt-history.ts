import { appendFileSync, chmodSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { redactSecrets } from '../kernel/domain/secrets/redact.ts'
import { visibleLine } from '../kernel/domain/trust/visible.ts'
import { writeAtomically } from '../kernel/system/atomic-file.ts'

const MOST = 1_000
const LARGEST = 4 * 1024 ** 2

export interface PromptHistory {
  /** Returns the lines, newest first. */
  load(): readonly string[]
  add(line: string): void
}

/** History of a `ken` prompt, readable only by the user. A line that contains a secret is not stored. */
export function openPromptHistory(home: string, name: 'sql-history' | 'ask-history'): PromptHistory {
  const path = join(home, name)
  const read = (): readonly string[] => {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
    if (size === 0 || size > LARGEST) return []
    return readFileSync(path, 'utf8').split('\n').filter(Boolean).map(visibleLine)
  }
  return {
    load() {
      const lines = read()
      if (lines.length > MOST) writeAtomically(path, `${lines.slice(-MOST).join('\n')}\n`, 0o600)
      return lines.slice(-MOST).toReversed()
    },
    add(line) {
      if (redactSecrets(line).count > 0) return
      appendFileSync(path, `${line}\n`, { mode: 0o600 })
      chmodSync(path, 0o600)
    },
  }
}
