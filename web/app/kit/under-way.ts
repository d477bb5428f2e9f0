import { keep, kept } from './kept-text.ts'

/**
 * Which long calls this browser began and has not heard the end of. Only those are looked for after a reload: asking for
 * one that never was is an error in every console.
 */
export const underWay = {
  has: (project: string, id: string): boolean => kept(keyOf(project, id)) === 'yes',
  began: (project: string, id: string): void => keep(keyOf(project, id), 'yes'),
  ended: (project: string, id: string): void => keep(keyOf(project, id), 'no'),
}

const keyOf = (project: string, id: string): string => `ken.under-way.${project}.${id}`
