import { toBytes } from '../core/settings.ts'
import type { Settings } from '../ports/settings.ts'
import type { EngineBounds, Warehouse } from '../ports/warehouse.ts'

const SHORTEST_SECONDS = 0.1
const LEAST_MEMORY = 256 * 1024 ** 2

/**
 * No statement runs longer than `query.timeout`, whoever asks it; a change of the setting counts from the next
 * statement on.
 */
export function boundedWarehouse(warehouse: Warehouse, settings: Settings): Warehouse {
  const most = (): number => 1000 * Math.max(SHORTEST_SECONDS, Number(settings.get('query.timeout').value))
  return {
    ...warehouse,
    query: (sql, limits, signal) =>
      warehouse.query(sql, { ...limits, milliseconds: Math.min(limits.milliseconds, most()) }, signal),
  }
}

/** Below a quarter of a gigabyte an engine cannot even start. */
export const engineBounds = (settings: Settings): EngineBounds => ({
  memory: Math.max(LEAST_MEMORY, toBytes(String(settings.get('query.memory').value)) ?? 0),
})
