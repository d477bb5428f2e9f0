import { keep, kept } from './kept-text.ts'

/**
 * Long calls that this browser started and that have not ended. Only these are looked up after a reload, because a
 * request for an unknown call logs an error in the console.
 */
export const underWay = {
  has: (project: string, id: string): boolean => kept(keyOf(project, id)) === 'yes',
  began: (project: string, id: string): void => keep(keyOf(project, id), 'yes'),
  ended: (project: string, id: string): void => keep(keyOf(project, id), 'no'),
}

const keyOf = (project: string, id: string): string => `ken.under-way.${project}.${id}`
