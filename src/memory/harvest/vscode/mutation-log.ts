import { asObject, type JsonObject } from '../../../kernel/system/json-value.ts'

const INITIAL = 0
const SET = 1
const PUSH = 2
const DELETE = 3
const LONGEST_PATH = 32

/**
 * A document written as its first state and the changes since. A change that does not fit the current state is ignored.
 */
export class MutationLog {
  #state: Record<string, unknown> | undefined

  state(): JsonObject | undefined {
    return this.#state
  }

  /** Returns false if the entry cannot be applied. */
  apply(entry: JsonObject): boolean {
    if (entry.kind === INITIAL) {
      const state = asObject(entry.v)
      if (state) this.#state = state as Record<string, unknown>
      return state !== undefined
    }
    const path = entry.k
    if (!Array.isArray(path) || path.length === 0 || path.length > LONGEST_PATH) return false
    const holder = this.#holderOf(path)
    const key = path.at(-1) as unknown
    if (holder === undefined || !isKeyOf(holder, key)) return false
    if (entry.kind === SET) holder[key] = entry.v
    else if (entry.kind === DELETE) holder[key] = undefined
    else return entry.kind === PUSH && push(holder, key, entry)
    return true
  }

  #holderOf(path: readonly unknown[]): Holder | undefined {
    let at: unknown = this.#state
    for (const part of path.slice(0, -1)) {
      if (!isHolder(at) || !isKeyOf(at, part) || !Object.hasOwn(at, part)) return undefined
      at = at[part]
    }
    return isHolder(at) ? at : undefined
  }
}

type Holder = Record<string | number, unknown>

const isHolder = (value: unknown): value is Holder => typeof value === 'object' && value !== null

/** Whether a key is valid: an index beyond the end would let one line create a list of any length. */
function isKeyOf(holder: Holder, key: unknown): key is string | number {
  if (Array.isArray(holder)) return Number.isInteger(key) && (key as number) >= 0 && (key as number) <= holder.length
  return typeof key === 'string' && key !== '__proto__'
}

/** Appends to a list, replacing everything from `i` on. */
function push(holder: Holder, key: string | number, { v, i }: JsonObject): boolean {
  const list = Object.hasOwn(holder, key) ? (holder[key] ?? []) : []
  if (!Array.isArray(list)) return false
  if (i !== undefined) {
    if (!Number.isInteger(i) || (i as number) < 0 || (i as number) > list.length) return false
    list.length = i as number
  }
  if (Array.isArray(v)) for (const item of v) list.push(item)
  holder[key] = list
  return true
}
