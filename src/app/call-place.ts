import { existsSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { unknownName } from '../kernel/domain/close-match.ts'
import { AppError } from '../kernel/domain/errors.ts'
import type { Projects, RegisteredProject } from '../kernel/ports/projects.ts'
import type { NamedPlace } from '../surfaces/mcp/server.ts'

export interface CallPlace {
  readonly cwd: string
  readonly project?: string
}

export interface PlaceOptions {
  readonly projects: Pick<Projects, 'find' | 'list'>
  /** The place chosen when the server was started; if undefined, every request must name one. */
  readonly usual: CallPlace | undefined
  /** A folder outside any project. */
  readonly nowhere: string
}

/** The project of an HTTP request. One server has clients in many repositories, so it never guesses. */
export async function placeOfRequest(
  { project, directory, anywhere }: NamedPlace,
  { projects, usual, nowhere }: PlaceOptions,
): Promise<CallPlace> {
  if (directory !== undefined) return { cwd: folderNamed(directory), ...(project !== undefined && { project }) }
  if (project !== undefined)
    return placeOfProject(await projects.find({ project, directory: nowhere }), project, await projects.list())
  if (usual !== undefined) return usual
  if (anywhere) return { cwd: nowhere }
  throw new AppError('invalid_input', 'The request names no project.', {
    hint: 'Give project_id with the call; or send the header X-Ken-Project (id or name) or X-Ken-Directory (absolute path), or add ?project= to the URL.',
  })
}

/** Resolves `--project`: an id, a name, or a folder. */
export async function placeChosen(
  named: string,
  { projects, from }: { projects: Pick<Projects, 'find' | 'list'>; from: string },
): Promise<CallPlace> {
  const found = await projects.find({ project: named, directory: from })
  const folder = resolve(from, named)
  if (found === undefined && isFolder(folder)) return { cwd: folder }
  return placeOfProject(found, named, await projects.list())
}

function placeOfProject(
  found: RegisteredProject | undefined,
  named: string,
  known: readonly RegisteredProject[],
): CallPlace {
  if (found === undefined)
    throw unknownName(
      'project',
      named,
      known.map(({ name }) => name),
    )
  return { cwd: found.repositories.find((repository) => existsSync(repository)) ?? found.location, project: found.id }
}

function folderNamed(directory: string): string {
  if (isAbsolute(directory) && isFolder(directory)) return resolve(directory)
  throw new AppError('invalid_input', `"${directory}" is not a folder on this machine.`, {
    hint: 'Use the absolute path of your working folder.',
  })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
