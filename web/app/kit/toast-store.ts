import { Store } from './store.ts'

/** A short message at the edge of the page about a completed action. */
export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  readonly action: { readonly label: string; readonly run: () => void | Promise<unknown> } | undefined
}

interface Wanted {
  readonly text: string
  readonly tone?: Toast['tone']
  /** Undoes the action; available for ten seconds. */
  readonly undo?: () => void | Promise<unknown>
  /** Another action offered by the toast. */
  readonly action?: { readonly label: string; readonly run: () => void | Promise<unknown> }
}

// More would hide the page.
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

  /** Runs the toast's action once, and shows an error if it fails. */
  act = async ({ id, action }: Toast): Promise<void> => {
    this.remove(id)
    try {
      await action?.run()
    } catch (fault) {
      this.show({ text: fault instanceof Error ? fault.message : 'Undo failed.', tone: 'bad' })
    }
  }
}

export const toasts = new Toasts([])

/** Reports a completed action: `showToast({ text: 'Chat deleted', undo: () => restore() })`. */
export const showToast = (wanted: Wanted): number => toasts.show(wanted)
