import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../ports/clock.ts'
import type { Telemetry } from '../ports/telemetry.ts'

const LARGEST = 1024 * 1024

/** Local log of the commands used. Nothing is ever sent. */
export function openTelemetryLog(path: string, enabled: boolean, clock: Clock): Telemetry {
  return {
    enabled,
    location: path,
    record(event) {
      if (!enabled) return
      try {
        mkdirSync(dirname(path), { recursive: true })
        if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(path, `${path}.old`)
        appendFileSync(path, `${JSON.stringify({ at: clock.now().toISOString(), ...event })}\n`)
      } catch {
        // A failing log must never interrupt Ken's work.
      }
    },
    async events() {
      if (!existsSync(path)) return []
      return readFileSync(path, 'utf8')
        .split('\n')
        .flatMap((line) => {
          try {
            return line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]
          } catch {
            return []
          }
        })
    },
  }
}
