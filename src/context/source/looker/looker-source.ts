import { AppError } from '../../../kernel/domain/errors.ts'
import { lookmlDashboards } from '../../domain/sources/lookml-dashboards.ts'
import { lookmlPages } from '../../domain/sources/lookml-pages.ts'
import { readLookmlProject } from '../../domain/sources/lookml-project.ts'
import type { Source } from '../../ports/source.ts'
import { readFolderTexts } from '../folder-texts.ts'
import { openPageSource } from '../page-source.ts'

/** Views, explores and dashboards of a LookML project. */
export function openLookerSource({ folder, target }: { readonly folder: string; readonly target: string }): Source {
  return openPageSource(target, async () => {
    const { texts, skipped } = readFolderTexts(folder, (path) => /\.(?:lkml|lookml)$/i.test(path))
    if (texts.length === 0)
      throw new AppError('unavailable', `${folder} has no LookML files.`, { hint: 'Check the path in ken.yaml.' })
    const isOfYaml = ({ path }: { readonly path: string }): boolean => /\.lookml$/i.test(path)
    const model = lookmlPages(readLookmlProject(texts.filter((file) => !isOfYaml(file))))
    const dashboards = lookmlDashboards(texts.filter(isOfYaml))
    return {
      pages: [...model.pages, ...dashboards.pages],
      skipped: [...skipped, ...model.skipped, ...dashboards.skipped],
    }
  })
}
