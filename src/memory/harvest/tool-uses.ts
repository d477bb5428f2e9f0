import type { SessionEvent } from '../domain/session/assemble.ts'
import { callDetail } from '../domain/session/call-detail.ts'
import { isRefusal } from '../domain/session/refused-call.ts'

type ToolEvent = Extract<SessionEvent, { kind: 'tool' }>

/** Calls in a log with outcomes in later records. */
export class ToolUses {
  readonly #events = new Map<string, { -readonly [Key in keyof ToolEvent]: ToolEvent[Key] }>()

  use(id: string | undefined, name: string | undefined, input: unknown): ToolEvent {
    const event = { kind: 'tool' as const, name: name ?? 'unknown', ok: null, detail: callDetail(input) }
    if (id !== undefined) this.#events.set(id, event)
    return event
  }

  nameOf(id: string | undefined): string | undefined {
    return id === undefined ? undefined : this.#events.get(id)?.name
  }

  settle(id: string | undefined, ok: boolean, result = ''): void {
    const event = id === undefined ? undefined : this.#events.get(id)
    if (event === undefined) return
    event.ok = ok
    if (!ok && isRefusal(result)) event.refused = true
  }
}
