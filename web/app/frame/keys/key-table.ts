import { Store } from '../../kit/store.ts'

/** A key and its action; `g d` is a sequence, `mod+k` is ⌘K or Ctrl K. */
export interface KeyBinding {
  readonly keys: string
  /** Description in the `?` list. */
  readonly does: string
  /** Heading in the `?` list. */
  readonly group: string
  readonly run: () => void
  /** Also active while typing; bindings with `mod` always are. */
  readonly whileTyping?: boolean
  /** Works but is not listed: an alternative shortcut. */
  readonly unlisted?: boolean
}

export interface Situation {
  /** The focus is in a text field. */
  readonly isTyping: boolean
  /** The focus is on a control that handles Enter and Space. */
  readonly isOnControl: boolean
  readonly now: number
}

/** All active keys. The last one added wins, so that a page may override a key of the frame. */
export class KeyTable {
  #sets: readonly (readonly KeyBinding[])[] = []
  #begun: { readonly keys: string; readonly at: number } | undefined
  /** Bindings in the `?` list: each key once, with the binding that would handle it. */
  readonly listed = new Store<readonly KeyBinding[]>([])

  /** With `beneath`, the bindings have lower priority than all others, whenever they are added. */
  add(bindings: readonly KeyBinding[], { beneath = false } = {}): () => void {
    this.#change(beneath ? [bindings, ...this.#sets] : [...this.#sets, bindings])
    return () => this.#change(this.#sets.filter((one) => one !== bindings))
  }

  /** Binding for a key press; `begun` if it is the first of two keys. */
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

// Long enough to think of the second key, short enough that a stray `g` does not swallow a later key.
const WAITS_MS = 1_500
