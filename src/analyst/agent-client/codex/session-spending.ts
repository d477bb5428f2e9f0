import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Usage } from '../../../kernel/domain/model-usage.ts'
import { parseObject } from '../../../kernel/system/json-value.ts'
import { count } from '../read-event.ts'

/** Total usage per session, for a client that reports only totals. */
export interface SessionSpending {
  before(session: string): Usage
  keep(session: string, total: Usage): void
}

export function openSpending(folder: string): SessionSpending {
  const pathOf = (session: string): string => join(folder, '.spending', `${session}.json`)
  return {
    before(session) {
      const kept = parseObject(textAt(pathOf(session))) ?? {}
      return {
        input: count(kept['input']),
        output: count(kept['output']),
        cached: count(kept['cached']),
        reasoning: count(kept['reasoning']),
      }
    },
    keep(session, total) {
      mkdirSync(join(folder, '.spending'), { recursive: true, mode: 0o700 })
      writeFileSync(pathOf(session), JSON.stringify(total), { mode: 0o600 })
    },
  }
}

function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
