import { Store } from '../../kit/store.ts'

/** A key and what it does; `g d` is one after the other, `mod+k` is ⌘K or Ctrl K. */
export interface KeyBinding {
  readonly keys: string
  /** What it does, as `?` lists it. */
  readonly does: string
  /** The heading that `?` puts it under. */
  readonly group: string
  readonly run: () => void
  /** It also acts while somebody types; what comes with `mod` always does. */
  readonly whileTyping?: boolean
  /** It works but is not listed: a second way to the same thing. */
  readonly unlisted?: boolean
}

export interface Situation {
  /** The focus is where text is typed. */
  readonly isTyping: boolean
  /** The focus is on something that Enter and Space already do something with. */
  readonly isOnControl: boolean
  readonly now: number
}

/** All keys that are active now. What was added last wins, so that a page may use a key of the frame for itself. */
export class KeyTable {
  #sets: readonly (readonly KeyBinding[])[] = []
  #begun: { readonly keys: string; readonly at: number } | undefined
  /** Those that `?` lists: each key once, as the press of it would be answered. */
  readonly listed = new Store<readonly KeyBinding[]>([])

  /** `beneath`: below all others, whenever it is added. */
  add(bindings: readonly KeyBinding[], { beneath = false } = {}): () => void {
    this.#change(beneath ? [bindings, ...this.#sets] : [...this.#sets, bindings])
    return () => this.#change(this.#sets.filter((one) => one !== bindings))
  }

  /** What a press is to do; `begun` where it is the first of two keys. */
  press(key: string, { isTyping, isOnControl, now }: Situation): KeyBinding | 'begun' | undefined {
    const isLate = this.#begun === undefined || now - this.#begun.at > WAITS_MS
    const whole = isLate ? key : `${this.#begun!.keys} ${key}`
    this.#begun = undefined
    const may = (binding: KeyBinding): boolean => {
      if (isTyping && !binding.whileTyping && !binding.keys.includes('mod+')) return false
      return !(isOnControl && (binding.keys === 'enter' || binding.keys === 'space'))
    }
    const all = this.#sets.flat().filter(may)
    const found = all.findLast(({ keys }) => keys === whole) ?? all.findLast(({ keys }) => keys === key)
    if (found !== undefined) return found
    if (!all.some(({ keys }) => keys.startsWith(`${key} `))) return undefined
    this.#begun = { keys: key, at: now }
    return 'begun'
  }

  #change(sets: readonly (readonly KeyBinding[])[]): void {
    this.#sets = sets
    const byKeys = new Map<string, KeyBinding>()
    for (const binding of sets.flat()) byKeys.set(binding.keys, binding)
    this.listed.set([...byKeys.values()].filter(({ unlisted }) => !unlisted))
  }
}

// Long enough to think of the second key, short enough that a stray `g` does not swallow a later one.
const WAITS_MS = 1_500
