import type { StopSignal } from '../core/sql/query.ts'
import type { Warehouse } from '../ports/warehouse.ts'

/** A warehouse whose every statement ends at the signal, at the engine too. */
export function stoppableWarehouse(warehouse: Warehouse, signal: StopSignal | undefined): Warehouse {
  const running = new Set<Promise<unknown>>()
  return {
    ...warehouse,
    async query(sql, limits, own) {
      const asked = warehouse.query(sql, limits, own ?? signal)
      running.add(asked)
      try {
        return await asked
      } finally {
        running.delete(asked)
      }
    },
    async close() {
      // Whoever asked may have gone already, but without its connection a statement could not be called off.
      await Promise.allSettled(running)
      await warehouse.close()
    },
  }
}
