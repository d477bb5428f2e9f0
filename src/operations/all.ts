import { loadOperations } from './registry.ts'

/** Every operation, loaded: for help, servers over HTTP and the reference pages. */
export const OPERATIONS = await loadOperations()
