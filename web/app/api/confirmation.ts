import { Store } from '../kit/store.ts'
import { Fault, type ChangeToConfirm } from './fault.ts'

/** A code that somebody has to type before a call runs. */
export interface WantedCode {
  readonly key: number
  readonly change: ChangeToConfirm
  /** What is wrong with the code that was typed before. */
  readonly problem: string | undefined
  /** Undefined: they do not want the change. */
  settle(code: string | undefined): void
}

/** The first is shown; the others follow. */
export const codesWanted = new Store<readonly WantedCode[]>([])

const asked = new Set<string>()
let next = 1

/** The header that confirms a kept call. Throws the fault itself if it is another one, or if the change is not wanted. */
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
