import { Store } from '../kit/store.ts'
import { Fault, type ChangeToConfirm } from './fault.ts'

/** A code that the user has to type before a call runs. */
export interface WantedCode {
  readonly key: number
  readonly change: ChangeToConfirm
  /** Problem with the previously typed code. */
  readonly problem: string | undefined
  /** Submits the code; undefined declines the change. */
  settle(code: string | undefined): void
}

/** The first is shown; the others are queued. */
export const codesWanted = new Store<readonly WantedCode[]>([])

const asked = new Set<string>()
let next = 1

/**
 * Returns the header that confirms a pending call. Throws the fault itself if it needs no code, or a fault if the
 * change is declined.
 */
export function askForCode(fault: Fault): Promise<Readonly<Record<string, string>>> {
  const { confirm: change, message } = fault
  if (change === undefined) throw fault
  return new Promise((confirmed, refused) => {
    const wanted: WantedCode = {
      key: next++,
      change,
      problem: asked.has(change.id) ? message : undefined,
      settle(code) {
        codesWanted.set(codesWanted.get().filter((one) => one !== wanted))
        if (code === undefined) refused(new Fault('stopped', 'Not confirmed. No changes.', { status: 0 }))
        else confirmed({ 'x-ken-confirm': `${change.id} ${code.replaceAll(/\s/g, '')}` })
      },
    }
    asked.add(change.id)
    codesWanted.set([...codesWanted.get(), wanted])
  })
}
