import { toBytes } from '../kernel/domain/settings.ts'
import type { StopSignal } from '../kernel/domain/stop.ts'
import type { Settings } from '../kernel/ports/settings.ts'
import { connectionOf, type DatabaseConfig } from './domain/context-project/config.ts'
import { connectionFault, unknownType } from './domain/context-project/entry-fault.ts'
import { asWanted } from './domain/context-project/propose-entry.ts'
import { hasReference } from './domain/context-project/secret-fields.ts'
import type { ContextFolder } from './ports/context-folder.ts'
import type { EngineBounds, Warehouse, WarehouseDefinition } from './ports/warehouse.ts'

interface OpenParts {
  readonly warehouses: readonly WarehouseDefinition[]
  readonly folder: ContextFolder
  readonly settings: Settings
  /** Whether a file may stay open between statements, because a sync runs thousands in a row. */
  readonly holdsFile: boolean
  /** Resolves references to the environment. */
  fill<T>(value: T): T
}

/** Opens a database with its references resolved; a connection error names the field and the probable correction. */
export async function openWarehouse(
  database: DatabaseConfig,
  { warehouses, folder, settings, holdsFile, fill }: OpenParts,
): Promise<Warehouse> {
  const definition = warehouses.find(({ type }) => type === database.type)
  if (definition === undefined) throw unknownType(database, warehouses)
  const given = filled(connectionOf(database), definition, fill)
  const placed = typeof given['path'] === 'string' ? { ...given, path: folder.place(given['path']) } : given
  const read = definition.connection.safeParse(placed)
  if (!read.success) throw connectionFault(read.error.issues[0]!, database, definition)
  return boundedWarehouse(await definition.open(read.data, { ...engineBounds(settings), holdsFile }), settings)
}

/** Environment values are always text, but `port: ${PGPORT}` is a number. */
function filled(
  connection: Readonly<Record<string, unknown>>,
  { connection: schema }: WarehouseDefinition,
  fill: OpenParts['fill'],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fill(connection)).map(([field, value]) => [
      field,
      hasReference(connection[field]) ? asWanted({ kind: 'database', schema }, field, String(value)) : value,
    ]),
  )
}

const SHORTEST_SECONDS = 0.1
const LEAST_MEMORY = 256 * 1024 ** 2

/** Limits every statement to `query.timeout`, for any caller; a changed setting applies from the next statement. */
function boundedWarehouse(warehouse: Warehouse, settings: Settings): Warehouse {
  const most = (): number => 1000 * Math.max(SHORTEST_SECONDS, Number(settings.get('query.timeout').value))
  return {
    ...warehouse,
    query: (sql, limits, signal, values) =>
      warehouse.query(sql, { ...limits, milliseconds: Math.min(limits.milliseconds, most()) }, signal, values),
  }
}

/** An engine cannot start with less than 256 MB. */
const engineBounds = (settings: Settings): EngineBounds => ({
  memory: Math.max(LEAST_MEMORY, toBytes(String(settings.get('query.memory').value)) ?? 0),
})

/** Warehouse that cancels every statement at the signal, including in the engine. */
export function stoppableWarehouse(warehouse: Warehouse, signal: StopSignal | undefined): Warehouse {
  const running = new Set<Promise<unknown>>()
  return {
    ...warehouse,
    async query(sql, limits, own, values) {
      const asked = warehouse.query(sql, limits, own ?? signal, values)
      running.add(asked)
      try {
        return await asked
      } finally {
        running.delete(asked)
      }
    },
    async close() {
      // Running statements need the connection to be cancelled, even if the caller is gone.
      await Promise.allSettled(running)
      await warehouse.close()
    },
  }
}
