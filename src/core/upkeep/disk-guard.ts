import { AppError } from '../errors.ts'

const MEGABYTE = 1024 ** 2

/**
 * Asked before every write: a disk that runs full in the middle of one damages more than a missed session.
 * `free` is undefined where the system does not tell.
 */
export function guardDisk(free: number | undefined, least: number): void {
  if (free === undefined || free >= least) return
  const [has, needs] = [Math.floor(free / MEGABYTE), Math.ceil(least / MEGABYTE)]
  throw new AppError(
    'unavailable',
    `Only ${has} MB are free on the disk of Ken's files, and ${needs} MB must stay free.`,
    {
      hint: 'Make room there, or lower storage.minFreeDisk; what was left out is read the next time.',
      details: { free, least },
    },
  )
}
