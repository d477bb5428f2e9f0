import type { HeldLease, SharedLeases } from '../../ports/shared-lease.ts'
import { openLease } from './index.ts'

/** Location of a named lease. `passing`: one of many, deleted when it is released. */
export interface LeaseFile {
  readonly path: string
  readonly passing?: boolean
}

/** Leases for the processes of one machine. The system releases a lease with its process, so none is lost. */
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
