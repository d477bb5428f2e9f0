import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { AppError } from '../../kernel/domain/errors.ts'
import { isPlainPath } from '../../kernel/domain/plain-path.ts'
import type { ContextCheckouts } from '../ports/context-checkouts.ts'
import type { TreeFile } from '../ports/git-trees.ts'

/**
 * Checkouts below a folder used by this process alone, created with the first checkout; `versionOf` computes the
 * version of files.
 */
export function openContextCheckouts(versionOf: (files: readonly TreeFile[]) => string): ContextCheckouts {
  let made: Promise<string> | undefined
  const root = (): Promise<string> => (made ??= mkdtemp(join(tmpdir(), 'ken-contexts-')))
  return {
    async make(version, files) {
      const place = join(await root(), `${version.slice(0, 16)}-${randomUUID()}`)
      const unfinished = `${place}.unfinished`
      try {
        if (versionOf(await written(unfinished, files)) !== version) throw damaged()
        await rename(unfinished, place)
        return place
      } finally {
        await rm(unfinished, { recursive: true, force: true })
      }
    },
    async drop(folder) {
      if (dirname(folder) !== (await root())) return
      for (const one of [folder, besideCheckout(folder)]) await rm(one, { recursive: true, force: true })
    },
    close: async () => made && rm(await made, { recursive: true, force: true }),
  }
}

/** Folder for the data of a checkout's reader; removed with the checkout. */
export const besideCheckout = (folder: string): string => `${folder}.own`

async function written(folder: string, files: AsyncIterable<readonly TreeFile[]>): Promise<readonly TreeFile[]> {
  const all: TreeFile[] = []
  await mkdir(folder, { mode: 0o700 })
  for await (const portion of files)
    for (const file of portion) {
      if (!isPlainPath(file.path)) throw damaged()
      const place = join(folder, file.path)
      await mkdir(dirname(place), { recursive: true, mode: 0o700 })
      await writeFile(place, file.bytes, { flag: 'wx', mode: 0o600 })
      all.push(file)
    }
  return all
}

const damaged = (): AppError =>
  new AppError('damaged', 'The context files have changed since they were read.', { hint: 'Pull it again.' })
