import { openContextTree } from '../context/adapters/disk-context-tree.ts'
import { openColumnValues } from '../context/adapters/files-column-values.ts'
import { openKeptResults } from '../context/adapters/files-kept-results.ts'
import { openLiquidTemplates } from '../context/adapters/liquid-templates.ts'
import { openContextFiles } from '../context/context-files/index.ts'
import { openContextFolder } from '../context/context-folder/index.ts'
import { openContextProjects, type ContextProjects, type ContextProjectsParts } from '../context/open-project.ts'
import { openMcpServers } from '../context/tool-servers/index.ts'
import { contextDefinitions } from './providers.ts'

type Given = Pick<ContextProjectsParts, 'environment' | 'cache' | 'state' | 'trust' | 'settings'> &
  Partial<Pick<ContextProjectsParts, 'openFolder'>>

/** The context pillar with every source and database. */
export const openContext = async (
  given: Given,
  definitions:
    | ContextProjectsParts['definitions']
    | Promise<ContextProjectsParts['definitions']> = contextDefinitions(),
): Promise<ContextProjects> =>
  openContextProjects({
    openFolder: openContextFolder,
    ...given,
    definitions: await definitions,
    templates: openLiquidTemplates(),
    openTree: openContextTree,
    openFiles: openContextFiles,
    openResults: openKeptResults,
    openValues: openColumnValues,
    openToolServers: openMcpServers,
  })
