import { link, copyFile, mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isAbsent } from './fs-failure.ts'

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(path: string, text: string, mode?: number): Promise<void> {
  await withFile(path, 'w', async (file) => {
    await file.writeFile(text)
    if (mode !== undefined) await file.chmod(mode)
    await file.sync()
  })
}

/** Adds text at `offset`, over whatever half-written rest lies there, and waits until the disk has it. */
export async function appendDurably(path: string, offset: number, text: string): Promise<void> {
  await withFile(path, 'a', async (file) => {
    if ((await file.stat()).size > offset) await file.truncate(offset)
    await file.appendFile(text)
    await file.sync()
  })
}

/** A rename or a new name is on the disk only once its folder is. Windows cannot and need not do this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return
  await withFile(path, 'r', (file) => file.sync())
}

export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true })
  if (first !== undefined) await syncFolder(dirname(first))
}

/** A second name for the file as it is now, so that it can be put back; false when there is no such file. */
export async function keep(path: string, aside: string): Promise<boolean> {
  try {
    await link(path, aside)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    // File systems without hard links.
    await copyFile(path, aside)
    return true
  }
}

export async function moveAside(path: string, aside: string): Promise<boolean> {
  try {
    await rename(path, aside)
    return true
  } catch (error) {
    if (isAbsent(error)) return false
    throw error
  }
}

/** Waits for all of them even when one fails: what is still running must not write after the cleaning up. */
export async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((done) => done.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

export const discard = (path: string): Promise<void> => rm(path, { force: true })

export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isAbsent(error)) return 0
    throw error
  }
}

async function withFile<T>(path: string, flags: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags)
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}
