import { loadOperations, loadServed } from './registry.ts'

/** Every operation of a machine, loaded: for help, servers over HTTP and the reference pages. */
export const OPERATIONS = await loadOperations()

/** What a team server has besides. */
export const HOSTED = (await loadServed()).filter(({ toolset }) => toolset === 'team')
