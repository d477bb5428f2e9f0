import type { HeldLease, SharedLeases } from '../../ports/shared-lease.ts'
import { openLease } from './index.ts'

/** Where the lease of a name lies. `passing`: one of many, taken away when it is given back. */
export interface LeaseFile {
  readonly path: string
  readonly passing?: boolean
}

/** For the processes of one machine. The system takes a lease back with its process, so none is ever lost. */
export function openFileLeases(fileOf: (name: string) => LeaseFile): SharedLeases {
  const held = new Set<HeldLease>()
  return {
    async tryTake(name) {
      const { path, passing = false } = fileOf(name)
      const lease = openLease(path, { passing })
      const giveBack = lease.tryTake()
      if (giveBack === undefined) {
        lease.close()
        return undefined
      }
      const taken: HeldLease = {
        lost: NEVER,
        async release() {
          if (!held.delete(taken)) return
          giveBack()
          lease.close()
        },
      }
      held.add(taken)
      return taken
    },
    async close() {
      await Promise.all([...held].map((lease) => lease.release()))
    },
  }
}

const NEVER = new AbortController().signal
