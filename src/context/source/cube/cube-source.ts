import { lstatSync } from 'node:fs'
import { AppError } from '../../../kernel/domain/errors.ts'
import { readCubeModel } from '../../domain/sources/cube-model.ts'
import { cubePages } from '../../domain/sources/cube-pages.ts'
import type { Source } from '../../ports/source.ts'
import { readFolderTexts } from '../folder-texts.ts'
import { openPageSource } from '../page-source.ts'

/** Cubes and views of a Cube project; its JavaScript is read and never run. */
export function openCubeSource({ folder, target }: { readonly folder: string; readonly target: string }): Source {
  return openPageSource(target, async () => {
    const { texts, skipped } = readFolderTexts(modelFolder(folder), (path) => /\.(?:ya?ml|js)$/i.test(path))
    const model = readCubeModel(texts)
    const read = cubePages(model)
    if (read.pages.length === 0 && model.faults.length === 0)
      throw new AppError('unavailable', `${folder} has no cubes.`, {
        hint: 'Set the Cube project or its data model folder in ken.yaml.',
      })
    return { pages: read.pages, skipped: [...skipped, ...read.skipped] }
  })
}

/** `model/` in current projects, `schema/` in older ones. Not a link, which could lead out of the trusted folder. */
const modelFolder = (folder: string): string =>
  ['model', 'schema']
    .map((name) => `${folder}/${name}`)
    .find((place) => lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) ?? folder
