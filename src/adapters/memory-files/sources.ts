import { join } from 'node:path'
import picomatch from 'picomatch'
import type { DocumentPlace } from '../../core/search/prepare-document.ts'
import { GLOBAL, isWorkspaceHash, workspaceHash } from '../../core/search/workspace.ts'
import type { Collections } from '../../ports/collections.ts'
import type { Projects, RegisteredProject } from '../../ports/projects.ts'

/** A folder whose files belong into the index. Several sources may share a collection. */
export interface Source {
  readonly collection: string
  readonly root: string
  /** Whether a file, by its path below the root with forward slashes, belongs to it. */
  accepts(path: string): boolean
  place(path: string): Pick<DocumentPlace, 'origin' | 'trust' | 'workspace' | 'project'>
}

export interface SourceParts {
  readonly home: string
  readonly projects: Projects
  readonly collections: Collections
}

/** Everything there is to index now, and what of the configuration could not be used. */
export async function listSources({ home, projects, collections }: SourceParts): Promise<{ sources: Source[]; faults: readonly string[] }> {
  const { collections: named, faults } = collections.list()
  const records = (await projects.list()).filter(({ present }) => present).map(recordSource)
  return { sources: [notes(home), sessions(home), ...records, ...named.map(collectionSource)], faults }
}

const isMarkdown = (path: string) => path.endsWith('.md')

const notes = (home: string): Source => ({
  collection: 'memory',
  root: join(home, 'memory'),
  accepts: isMarkdown,
  place: () => ({ origin: 'note', trust: 'learned', workspace: GLOBAL, project: undefined }),
})

const sessions = (home: string): Source => ({
  collection: 'sessions',
  root: join(home, 'sessions'),
  accepts: (path) => isMarkdown(path) && path.includes('/'),
  place(path) {
    const folder = path.slice(0, path.indexOf('/'))
    return { origin: 'session', trust: 'learned', workspace: isWorkspaceHash(folder) ? folder : GLOBAL, project: undefined }
  },
})

function recordSource({ id, location, repositories }: RegisteredProject): Source {
  const workspace = repositories[0] === undefined ? GLOBAL : workspaceHash(repositories[0])
  return {
    collection: 'record',
    root: location,
    accepts: (path) => isMarkdown(path) && (!path.includes('/') || /^(?:decisions|context)\/[^/]+$/.test(path)),
    place: (path) => ({ origin: path.startsWith('decisions/') ? 'decision' : path === 'open-questions.md' ? 'question' : 'document', trust: 'approved', workspace, project: id }),
  }
}

function collectionSource({ name, path, pattern, origin, workspace }: ReturnType<Collections['list']>['collections'][number]): Source {
  const matches = pattern === '**/*.md' ? isMarkdown : picomatch(pattern, { dot: false })
  return {
    collection: name,
    root: path,
    accepts: (file) => matches(file),
    place: () => ({ origin, trust: origin === 'context' ? 'compiled' : 'untrusted', workspace: workspace === undefined ? GLOBAL : workspaceHash(workspace), project: undefined }),
  }
}
