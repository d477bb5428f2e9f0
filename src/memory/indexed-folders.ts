import { join } from 'node:path'
import { compileGlob } from '../kernel/domain/glob.ts'
import { GLOBAL, isWorkspaceHash, workspaceHash } from '../kernel/domain/workspace.ts'
import type { Projects, RegisteredProject } from '../kernel/ports/projects.ts'
import type { DocumentPlace } from './domain/document/analyse-document.ts'
import type { Collections } from './ports/collections.ts'
import type { CodeLimits, Documents, FileScan } from './ports/documents.ts'

/** A folder whose files belong in the index. Several folders may share a collection. */
export interface IndexedFolder {
  readonly collection: string
  readonly root: string
  /** True for folders that Ken creates: a missing one is empty. */
  readonly isOwn: boolean
  /** The files of the folder, and the files excluded by a limit. */
  scan(): Promise<FileScan>
  place(path: string): Pick<DocumentPlace, 'origin' | 'trust' | 'workspace' | 'project'>
}

export interface Codebase {
  readonly roots: readonly string[]
  readonly limits: CodeLimits
}

export interface FolderParts {
  readonly documents: Documents
  readonly home: string
  readonly projects: Projects
  readonly collections: Collections
  /** Read again on every update. */
  readonly codebase: () => Codebase
}

/** Everything to index now, notes first, and the parts of the configuration that could not be used. */
export async function listIndexedFolders({
  documents,
  home,
  projects,
  collections,
  codebase,
}: FolderParts): Promise<{ folders: [IndexedFolder, ...IndexedFolder[]]; faults: readonly string[] }> {
  const { collections: named, faults } = collections.list()
  const records = (await projects.list()).filter(({ present }) => present)
  const scanned = ({ accepts, ...folder }: PlainFolder): IndexedFolder => ({
    ...folder,
    scan: () => documents.scanFolder(folder.root, accepts),
  })
  const { roots, limits } = codebase()
  return {
    folders: [
      scanned(notes(home)),
      scanned(sessions(home)),
      ...records.map(recordFolder).map(scanned),
      ...named.map(collectionFolder).map(scanned),
      ...roots.map((root) => ({ ...repository(root), scan: () => documents.scanCode(root, limits) })),
    ],
    faults,
  }
}

export const notesFolder = (home: string): string => join(home, 'memory')
export const sessionsFolder = (home: string): string => join(home, 'sessions')

/** A folder with files selected by name alone. */
interface PlainFolder extends Omit<IndexedFolder, 'scan'> {
  accepts(relative: string): boolean
}

const repository = (root: string): Omit<IndexedFolder, 'scan'> => ({
  collection: 'codebase',
  root,
  isOwn: false,
  place: () => ({ origin: 'code', trust: 'compiled', workspace: workspaceHash(root), project: undefined }),
})

const isMarkdown = (path: string) => path.endsWith('.md')

const notes = (home: string): PlainFolder => ({
  collection: 'memory',
  root: notesFolder(home),
  isOwn: true,
  accepts: isMarkdown,
  place: () => ({ origin: 'note', trust: 'learned', workspace: GLOBAL, project: undefined }),
})

const sessions = (home: string): PlainFolder => ({
  collection: 'sessions',
  root: sessionsFolder(home),
  isOwn: true,
  accepts: (path) => isMarkdown(path) && path.includes('/'),
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

function recordFolder({ id, location, repositories }: RegisteredProject): PlainFolder {
  // A record without a repository still belongs to only one project.
  const workspace = workspaceHash(repositories[0] ?? location)
  return {
    collection: 'record',
    root: location,
    isOwn: true,
    accepts: (path) => isMarkdown(path) && (!path.includes('/') || /^(?:decisions|context)\/[^/]+$/.test(path)),
    place: (path) => ({
      origin: path.startsWith('decisions/') ? 'decision' : path === 'open-questions.md' ? 'question' : 'document',
      trust: 'approved',
      workspace,
      project: id,
    }),
  }
}

function collectionFolder({
  name,
  path,
  pattern,
  origin,
  workspace,
}: ReturnType<Collections['list']>['collections'][number]): PlainFolder {
  const matches = pattern === '**/*.md' ? isMarkdown : (compileGlob(pattern) ?? (() => false))
  return {
    collection: name,
    root: path,
    isOwn: false,
    accepts: (file) => matches(file),
    place: () => ({
      origin,
      trust: origin === 'context' ? 'compiled' : 'untrusted',
      workspace: workspace === undefined ? GLOBAL : workspaceHash(workspace),
      project: undefined,
    }),
  }
}
