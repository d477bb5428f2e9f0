import { readFileSync, writeFileSync } from 'node:fs'
import { sealOf } from './seal.ts'

/** Beside the index, under a name that is not deleted along with it: how far the index had come. */
const witnessOf = (path: string): string => `${path.replace(/\.db$/, '')}.witness`

/**
 * The generation that the index has reached at least; 0 when nothing is known. An index behind it has lost changes, or
 * everything.
 */
export function readWitness(path: string): number {
  try {
    const [, generation, seal] = /^(\d{1,15}) (\d+)\n$/.exec(readFileSync(witnessOf(path), 'utf8')) ?? []
    return generation !== undefined && Number(seal) === sealOf(Number(generation)) ? Number(generation) : 0
  } catch {
    return 0
  }
}

/**
 * After the commit, never before: a process that dies in between leaves a witness that knows too little, which harms
 * nothing.
 */
export function writeWitness(path: string, generation: number): void {
  try {
    writeFileSync(witnessOf(path), `${generation} ${sealOf(generation)}\n`, { mode: 0o600 })
  } catch {
    // Only a lost log would go unnoticed without it.
  }
}
