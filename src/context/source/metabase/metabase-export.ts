import { AppError } from '../../../kernel/domain/errors.ts'
import { readMetabaseExport } from '../../domain/sources/metabase-export.ts'
import type { Source } from '../../ports/source.ts'
import { readFolderTexts } from '../folder-texts.ts'
import { openPageSource } from '../page-source.ts'

/** Questions and other saved items from a Metabase export. Files with column values and settings are not opened. */
export function openMetabaseExport({ folder, target }: { readonly folder: string; readonly target: string }): Source {
  return openPageSource(target, async () => {
    const { texts, skipped } = readFolderTexts(
      folder,
      (path) => /(?:^|\/)(?:collections|databases)\/.*\.ya?ml$/i.test(path) && !/fieldvalues\.ya?ml$/i.test(path),
    )
    const read = readMetabaseExport(texts)
    if (read.pages.length === 0 && read.skipped.length === 0)
      throw new AppError('unavailable', `No Metabase export found in ${folder}.`, {
        hint: 'Check the path in ken.yaml.',
      })
    return { pages: read.pages, skipped: [...skipped, ...read.skipped] }
  })
}
