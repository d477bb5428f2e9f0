import { loadOperations, loadServed } from './registry.ts'

/** Every local operation, loaded: for help, HTTP servers and the reference pages. */
export const OPERATIONS = await loadOperations()

/** Operations only on a team server. */
export const HOSTED = (await loadServed()).filter(({ toolset }) => toolset === 'team')
