import { Store } from './store.ts'

/** Something that was done and is said at the edge of the page. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action: { readonly label: string; readonly run: () => void | Promise<unknown> } | undefined
}

interface Wanted {
  readonly text: string
  readonly tone?: Toast['tone']
  /** Takes back what was done; it can be called for ten seconds. */
  readonly undo?: () => void | Promise<unknown>
  /** Another thing to do about it. */
  readonly action?: { readonly label: string; readonly run: () => void | Promise<unknown> }
}

// More than these hide the page.
const MOST = 3

class Toasts extends Store<readonly Toast[]> {
  #next = 1

  show({ text, tone = 'plain', undo, action }: Wanted): number {
    const id = this.#next++
    const way = undo === undefined ? action : { label: 'Undo', run: undo }
    this.set([...this.get(), { id, text, tone, action: way }].slice(-MOST))
    return id
  }

  remove = (id: number): void => this.set(this.get().filter((one) => one.id !== id))

  /** Does what the toast offers, once, and says so where it fails. */
  act = async ({ id, action }: Toast): Promise<void> => {
    this.remove(id)
    try {
      await action?.run()
    } catch (fault) {
      this.show({ text: fault instanceof Error ? fault.message : 'It could not be undone.', tone: 'bad' })
    }
  }
}

export const toasts = new Toasts([])

/** Says what was done: `showToast({ text: 'Chat deleted', undo: () => restore() })`. */
export const showToast = (wanted: Wanted): number => toasts.show(wanted)
