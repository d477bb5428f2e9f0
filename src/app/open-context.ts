import { openContextFiles } from '../adapters/context-files/disk/index.ts'
import { openContextFolder } from '../adapters/context-folder/disk/index.ts'
import { openContextTree } from '../adapters/context-tree/disk/index.ts'
import { openKeptResults } from '../adapters/kept-results/files/index.ts'
import { openLiquidTemplates } from '../adapters/templates/liquid/index.ts'
import { openMcpServers } from '../adapters/tool-servers/mcp/index.ts'
import { openContextProjects, type ContextProjects, type ContextProjectsParts } from '../context/open-project.ts'
import { contextDefinitions } from './providers.ts'

type Given = Pick<ContextProjectsParts, 'environment' | 'cache' | 'state' | 'trust' | 'settings'> &
  Partial<Pick<ContextProjectsParts, 'openFolder'>>

/** The context pillar with every source and database there is. */
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
    openToolServers: openMcpServers,
  })
