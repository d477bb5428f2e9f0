/**
 * The project named in a URL of the app: an id, a name, or `folder:` and a path; `here` is the project that Ken was
 * started in.
 */
export const HERE = 'here'

const FOLDER = 'folder:'

/** URL of a project's operation. */
export function addressOf(project: string, name: string): string {
  if (project === HERE) return `/v1/${name}`
  const place = project.startsWith(FOLDER) ? { directory: project.slice(FOLDER.length) } : { project }
  return `/v1/${name}?${new URLSearchParams(place)}`
}
