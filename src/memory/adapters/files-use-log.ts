import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { writeAtomically } from '../../kernel/system/atomic-file.ts'
import { parseObject } from '../../kernel/system/json-value.ts'
import type { UseLog } from '../ports/use-log.ts'

// Long after the answer was sent, and often enough that a killed server loses little.
const DELAY = 10_000
const DAY = 24 * 3600 * 1000
const LARGEST = 16 * 1024 ** 2
const WORTH_REWRITING = 64 * 1024

/** One line per batch of uses. Not synced; a line truncated by a crash is skipped. */
export function openUseLog(path: string, now: () => Date): UseLog {
  const waiting = new Set<string>()
  // A day is precise enough to distinguish used from unused sessions.
  const written = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const at = now()
    try {
      appendFileSync(path, `${line(at, [...waiting])}\n`, { mode: 0o600 })
      for (const id of waiting) written.set(id, at.getTime())
    } catch {
      // A failed write is ignored: a read-only home can still be searched.
    }
    waiting.clear()
  }

  function read(): Map<string, number> {
    const used = new Map<string, number>()
    for (const text of textOf(path).split('\n')) {
      const { at, used: ids } = parseObject(text) ?? {}
      const time = Date.parse(String(at))
      if (Number.isNaN(time) || !Array.isArray(ids)) continue
      for (const id of ids) if (typeof id === 'string') used.set(id, Math.max(time, used.get(id) ?? 0))
    }
    return used
  }

  return {
    note(fileIds) {
      const today = now().getTime()
      for (const id of fileIds) if (today - (written.get(id) ?? -Infinity) > DAY) waiting.add(id)
      if (waiting.size > 0) timer ??= setTimeout(flush, DELAY).unref()
    },
    async lastUsed() {
      const used = read()
      for (const id of waiting) used.set(id, now().getTime())
      return used
    },
    async keepOnly(fileIds) {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) < WORTH_REWRITING) return
      const byTime = Map.groupBy(
        [...read()].filter(([id]) => fileIds.has(id)),
        ([, time]) => time,
      )
      const lines = [...byTime].map(([time, uses]) =>
        line(
          new Date(time),
          uses.map(([id]) => id),
        ),
      )
      writeAtomically(path, lines.map((text) => `${text}\n`).join(''), 0o600)
    },
    close: flush,
  }
}

const line = (at: Date, used: readonly string[]): string => JSON.stringify({ at: at.toISOString(), used })

function textOf(path: string): string {
  try {
    return statSync(path).size > LARGEST ? '' : readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
