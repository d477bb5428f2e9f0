import { readDagsterFile } from '../../domain/sources/dagster-assets.ts'
import { dagsterPages } from '../../domain/sources/dagster-page.ts'
import type { Source } from '../../ports/source.ts'
import { openLineageSource, type LineageParts } from '../lineage-source.ts'

/** Assets of a folder of Dagster definitions, one page per group, with the tables that each asset writes. */
export const openDagsterSource = (parts: LineageParts): Source =>
  openLineageSource('Dagster', parts, (files) =>
    dagsterPages(files.map(({ path, statements, sqlFile }) => readDagsterFile(statements, path, sqlFile))),
  )
