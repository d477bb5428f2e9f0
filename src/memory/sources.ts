import { join } from 'node:path'
import type { DocumentPlace } from '../core/chunking/prepare-document.ts'
import { compileGlob } from '../core/glob.ts'
import { GLOBAL, isWorkspaceHash, workspaceHash } from '../core/workspace.ts'
import type { Collections } from '../ports/collections.ts'
import type { Projects, RegisteredProject } from '../ports/projects.ts'
import { scanCode, type CodeLimits, type CodeScan } from './scan-code.ts'
import { scanFolder } from './scan-folder.ts'

/** A folder whose files belong into the index. Several sources may share a collection. */
export interface Source {
  readonly collection: string
  readonly root: string
  /** The files that belong to it, and those that a limit keeps out. */
  scan(): Promise<CodeScan>
  place(path: string): Pick<DocumentPlace, 'origin' | 'trust' | 'workspace' | 'project'>
}

export interface Codebase {
  readonly roots: readonly string[]
  readonly limits: CodeLimits
}

export interface SourceParts {
  readonly home: string
  readonly projects: Projects
  readonly collections: Collections
  /** Read anew on every update. */
  readonly codebase: () => Codebase
}

/** Everything there is to index now, and what of the configuration could not be used. */
export async function listSources({
  home,
  projects,
  collections,
  codebase,
}: SourceParts): Promise<{ sources: Source[]; faults: readonly string[] }> {
  const { collections: named, faults } = collections.list()
  const records = (await projects.list()).filter(({ present }) => present).map(recordSource)
  return {
    sources: [notes(home), sessions(home), ...records, ...named.map(collectionSource), ...codeSources(codebase())],
    faults,
  }
}

const inFolder = (root: string, accepts: (relative: string) => boolean): Pick<Source, 'root' | 'scan'> => ({
  root,
  scan: async () => ({ files: await scanFolder(root, accepts), overBudget: [] }),
})

const codeSources = ({ roots, limits }: Codebase): Source[] =>
  roots.map((root) => ({
    collection: 'codebase',
    root,
    scan: () => scanCode(root, limits),
    place: () => ({ origin: 'code', trust: 'compiled', workspace: workspaceHash(root), project: undefined }),
  }))

const isMarkdown = (path: string) => path.endsWith('.md')

const notes = (home: string): Source => ({
  collection: 'memory',
  ...inFolder(join(home, 'memory'), isMarkdown),
  place: () => ({ origin: 'note', trust: 'learned', workspace: GLOBAL, project: undefined }),
})

const sessions = (home: string): Source => ({
  collection: 'sessions',
  ...inFolder(join(home, 'sessions'), (path) => isMarkdown(path) && path.includes('/')),
  place(path) {
    const folder = path.slice(0, path.indexOf('/'))
    return {
      origin: 'session',
      trust: 'learned',
      workspace: isWorkspaceHash(folder) ? folder : GLOBAL,
      project: undefined,
    }
  },
})

function recordSource({ id, location, repositories }: RegisteredProject): Source {
  // A record without a repository is still one project's own, and not everybody's.
  const workspace = workspaceHash(repositories[0] ?? location)
  return {
    collection: 'record',
    ...inFolder(
      location,
      (path) => isMarkdown(path) && (!path.includes('/') || /^(?:decisions|context)\/[^/]+$/.test(path)),
    ),
    place: (path) => ({
      origin: path.startsWith('decisions/') ? 'decision' : path === 'open-questions.md' ? 'question' : 'document',
      trust: 'approved',
      workspace,
      project: id,
    }),
  }
}

function collectionSource({
  name,
  path,
  pattern,
  origin,
  workspace,
}: ReturnType<Collections['list']>['collections'][number]): Source {
  const matches = pattern === '**/*.md' ? isMarkdown : (compileGlob(pattern) ?? (() => false))
  return {
    collection: name,
    ...inFolder(path, (file) => matches(file)),
    place: () => ({
      origin,
      trust: origin === 'context' ? 'compiled' : 'untrusted',
      workspace: workspace === undefined ? GLOBAL : workspaceHash(workspace),
      project: undefined,
    }),
  }
}
